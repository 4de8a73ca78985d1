import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobDetail } from '@guise/contract/job-details.ts';
import { z } from 'zod';
import type { ToolParts } from './mcp-tools.ts';
import { dataResult, type ToolResult } from './tool-result.ts';

/** For tools that wait for a job. */
export const waitSeconds = z
  .int()
  .min(0)
  .max(300)
  .default(60)
  .describe('How long to wait for the end of the job. It goes on after that: watch_job waits again.');

const save_to = z.string().optional().describe('Path of a file to save the picture or video to.');

/** The argument of tools that save what they made, where files can be written. */
export const savingOf = ({ hasFiles }: ToolParts) => (hasFiles ? { save_to } : {});
export const pathOf = (given: object) => (given as { save_to?: string | undefined }).save_to;

interface Watched {
  id: string;
  waitSeconds: number;
  saveTo?: string | undefined;
  signal: AbortSignal;
}

/** Between the end of a stream of events and the next question: the job has mostly ended then. */
const pauseMs = 50;

/** What became of a job after some time: its state, links, and a small picture of the result. */
export async function watchJob(
  parts: ToolParts,
  { id, waitSeconds: seconds, saveTo: path, signal }: Watched,
): Promise<ToolResult> {
  const job = await readJobAtEnd(parts, id, { until: Date.now() + seconds * 1000, signal });
  const result = dataResult({
    job_id: job.id,
    status: job.status,
    progress: job.progress,
    credits: job.credits,
    url: job.result_url && parts.linkOf(job.result_url),
    media_type: job.media_type,
    expires_at: job.expires_at,
    error: job.error,
    applied: job.applied,
    ignored: job.ignored,
  });
  if (job.status === 'FAILED') return { ...result, isError: true };
  if (job.status !== 'COMPLETED') return result;
  if (parts.hasFiles && path && job.result_url)
    await writeFile(path, await parts.guise.transport.download(parts.nearOf(job.result_url), signal));
  return { ...result, content: [...result.content, ...(await thumbnailOf(parts, job, signal))] };
}

/** The server tells of the end by an event; where that is lost, it is asked again. */
async function readJobAtEnd(
  { guise }: ToolParts,
  id: string,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<JobDetail> {
  for (;;) {
    const job = await guise.jobs.get(id, signal);
    const left = until - Date.now();
    if (job.status === 'COMPLETED' || job.status === 'FAILED' || left <= 0) return job;
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(left)]);
    try {
      for await (const { type } of guise.jobs.events(id, waiting)) if (type === 'end') break;
    } catch (error) {
      if (!waiting.aborted || signal.aborted) throw error;
    }
    if (!waiting.aborted) await sleep(pauseMs, undefined, { signal });
  }
}

async function thumbnailOf({ guise, nearOf }: ToolParts, job: JobDetail, signal: AbortSignal) {
  if (!job.thumbnail_url) return [];
  const bytes = await guise.transport.download(nearOf(job.thumbnail_url), signal).catch(() => undefined);
  if (!bytes) return [];
  return [{ type: 'image' as const, data: Buffer.from(bytes).toString('base64'), mimeType: 'image/webp' }];
}
