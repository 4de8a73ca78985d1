import { Readable } from 'node:stream';
import { type Family, familyOf, wordOf } from '@guise/contract/families.ts';
import { isoTime } from '../iso-time.ts';
import { readJob, readJobAtEnd } from '../jobs/read.ts';
import { readSentences } from '../jobs/stored-notes.ts';
import type { OpenBlob } from '../store/blobs.ts';
import type { ShownJob } from '../store/job-records.ts';
import { baseUrlOf, type Call, callerOf, goneSignal, Reply } from './call.ts';
import type { HttpParts } from './parts.ts';

const maxWaitSeconds = 60;

export async function answerStatus(parts: HttpParts, path: string, call: Call): Promise<unknown> {
  const polled = { accountId: callerOf(call).id, statusPath: path, id: call.params.job_id ?? '' };
  const waitMs = waitOf(call.headers.prefer);
  const job =
    waitMs === 0
      ? await readJob(parts.db, polled)
      : await readJobAtEnd(parts, polled, waitMs, goneSignal(call));
  const family = familyOf(job.family);
  if (job.state !== 'completed' || family.output === 'video') return answerOf(parts, family, job, call);
  const blob = await parts.blobs.open(job.result_key ?? 'results/none');
  if (!blob) {
    // Erased or expired between the two looks: the second one says so.
    await readJob(parts.db, polled);
    throw new Error(`the result of job ${job.id} is gone`);
  }
  return imageReply(job, family, blob);
}

function answerOf(parts: HttpParts, family: Family, job: ShownJob, call: Call) {
  const video = family.output === 'video';
  const output =
    video && job.state === 'completed'
      ? {
          video_url: parts.links.to(baseUrlOf(parts, call), job.result_key!, job.account_id, job.expires_at),
          video_status: 'completed',
        }
      : video && job.state === 'failed'
        ? { video_status: 'failed', video_error: job.error }
        : {};
  return {
    id: job.id,
    status: wordOf(family, job.state),
    output,
    ...(job.state === 'failed' && !video && { error: job.error }),
    ...additive(job),
  };
}

/** What clients of the interface do not know and ignore. */
function additive(job: ShownJob) {
  return {
    progress: job.progress,
    created_at: isoTime(job.created_at),
    expires_at: isoTime(job.expires_at),
    ...(job.result_notes !== null && readSentences(job.result_notes)),
  };
}

/** The stored base64 between a prefix and a suffix, with a length: a result never goes through a JSON serializer. */
function imageReply(job: ShownJob, family: Family, blob: OpenBlob): Reply {
  const head = `{"id":${JSON.stringify(job.id)},"status":"${wordOf(family, job.state)}","output":{"images":["`;
  const tail = `"]},${JSON.stringify(additive(job)).slice(1)}`;
  const body = Readable.from(between(head, blob, tail), { objectMode: false });
  // Closed with the stream and not by the generator, which never begins when the caller is already gone.
  body.once('close', () => void blob.close());
  return new Reply(body, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(head) + blob.size + Buffer.byteLength(tail),
  });
}

async function* between(head: string, blob: OpenBlob, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  yield* blob.stream();
  yield Buffer.from(tail);
}

/** `Prefer: wait=N` in milliseconds, 0 without it. */
function waitOf(prefer: string | string[] | undefined): number {
  if (prefer === undefined) return 0;
  const seconds = /(?:^|[,;\s])wait=(\d{1,6})/i.exec(String(prefer))?.[1];
  return Math.min(Number(seconds ?? 0), maxWaitSeconds) * 1000;
}
