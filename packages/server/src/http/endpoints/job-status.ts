import { type Family, familyOf, isLinked, wordOf } from '@guise/contract/families/families.ts';
import type { FastifyReply } from 'fastify';
import { isoTime } from '../../iso-time.ts';
import { readWaiting } from '../../jobs/job-waiting.ts';
import { readJob, readJobAtEnd, type StatusQuery } from '../../jobs/read.ts';
import { loopLinksOf } from '../../jobs/results/loop-links.ts';
import { readSentences } from '../../jobs/stored-notes.ts';
import type { OpenBlob } from '../../store/blobs.ts';
import type { JobStatusRow } from '../../store/job-records.ts';
import type { HttpParts } from '../parts.ts';
import { baseUrlOf, callerOf, disconnectSignal, holdUntilClosed, idOf } from '../request.ts';
import type { RouteRequest } from '../route.ts';

const maxWaitSeconds = 60;

/** A status path that families share. */
export interface StatusPath {
  path: string;
  /** Whether a call waits for the end of its job unless it says otherwise. */
  waits: boolean;
}

/** The state of a job on its family's status path, with its output when it has ended. */
export async function sendJobStatus(
  parts: HttpParts,
  { path, waits }: StatusPath,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const query = { accountId: callerOf(request).id, statusPath: path, id: idOf(request, 'job_id') };
  const askedMs = waitOf(request.headers.prefer);
  const job =
    askedMs === 0 || (askedMs === undefined && !(waits && parts.statusWaitMs > 0))
      ? await readJob(parts.db, query)
      : await readJobWaiting(parts, query, askedMs, request, reply);
  const family = familyOf(job.family);
  if (job.state !== 'completed' || isLinked(family.output)) return statusOf(parts, family, job, request);
  holdUntilClosed(reply, await parts.admission.files.enter(query.accountId));
  const blob = await parts.blobs.open(job.result_key ?? 'results/none');
  if (!blob) {
    // Erased or expired since the job was read: reading it again says so.
    await readJob(parts.db, query);
    throw new Error(`the result of job ${job.id} is gone`);
  }
  return sendImage(job, family, blob, reply);
}

/** The job at its end. A caller that did not ask to wait, and hung up before, waits for a shorter time. */
async function readJobWaiting(
  parts: HttpParts,
  query: StatusQuery,
  askedMs: number | undefined,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<JobStatusRow> {
  const { id, key_id } = callerOf(request);
  const caller = key_id ?? id;
  const waitMs = askedMs ?? parts.hangUps.shorten(caller, parts.statusWaitMs);
  const [signal, began] = [disconnectSignal(reply), performance.now()];
  const job = await readJobAtEnd(parts, query, waitMs, signal);
  if (signal.aborted && askedMs === undefined) parts.hangUps.note(caller, performance.now() - began);
  return job;
}

async function statusOf(parts: HttpParts, family: Family, job: JobStatusRow, request: RouteRequest) {
  const video = isLinked(family.output);
  const output =
    video && job.state === 'completed'
      ? videoOutputOf(parts, job, request)
      : video && job.state === 'failed'
        ? { video_status: 'failed', video_error: job.error }
        : {};
  return {
    id: job.id,
    status: wordOf(family, job.state),
    output,
    ...(job.state === 'failed' && !video && { error: job.error }),
    ...additionalFields(job),
    ...(job.state === 'queued' && { waiting: (await readWaiting(parts.db, job))! }),
  };
}

/** Links to a finished video; of a loop also to its still and to the formats that it is converted to. */
function videoOutputOf(parts: HttpParts, job: JobStatusRow, request: RouteRequest) {
  const baseUrl = baseUrlOf(parts, request);
  const linkTo = (key: string) => parts.links.create(baseUrl, key, job.account_id, job.expires_at);
  return { video_url: linkTo(job.result_key!), video_status: 'completed', ...loopLinksOf(job, linkTo) };
}

/** What clients of the interface do not know and ignore. */
function additionalFields(job: JobStatusRow) {
  return {
    progress: job.progress,
    created_at: isoTime(job.created_at),
    expires_at: isoTime(job.expires_at),
    ...(job.result_notes !== null && readSentences(job.result_notes)),
  };
}

/** The stored base64 between a prefix and a suffix: a result never goes through a JSON serializer. */
function sendImage(job: JobStatusRow, family: Family, blob: OpenBlob, reply: FastifyReply): FastifyReply {
  reply.type('application/json; charset=utf-8');
  return reply.sendBlob({
    blob,
    start: 0,
    end: blob.size - 1,
    prefix: `{"id":${JSON.stringify(job.id)},"status":"${wordOf(family, job.state)}","output":{"images":["`,
    suffix: `"]},${JSON.stringify(additionalFields(job)).slice(1)}`,
  });
}

/** `Prefer: wait=N` in milliseconds; undefined where the caller does not say how long it waits. */
export function waitOf(prefer: string | string[] | undefined): number | undefined {
  if (prefer === undefined) return undefined;
  const seconds = /(?:^|[,;\s])wait=(\d{1,6})/i.exec(String(prefer))?.[1];
  return seconds === undefined ? undefined : Math.min(Number(seconds), maxWaitSeconds) * 1000;
}
