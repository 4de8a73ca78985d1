import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { type Family, familyOf, wordOf } from '../jobs/families.ts';
import { readJob, readJobAtEnd } from '../jobs/read.ts';
import type { OpenBlob } from '../store/blobs.ts';
import type { JobRow } from '../store/schema.ts';
import type { HttpParts } from './parts.ts';
import { baseUrlOf, callerOf, goneSignal } from './request.ts';

const maxWaitSeconds = 60;

export async function answerStatus(
  parts: HttpParts,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { job_id } = request.params as { job_id: string };
  const caller = callerOf(request);
  const waitMs = waitOf(request);
  const job =
    waitMs === 0
      ? await readJob(parts.db, caller.id, path, job_id)
      : await readJobAtEnd(parts, caller.id, path, job_id, waitMs, goneSignal(reply));
  const family = familyOf(job.family);
  if (job.state !== 'completed' || family.output === 'video') {
    return reply
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(answerOf(parts, family, job, baseUrlOf(parts, request))));
  }
  const blob = await parts.blobs.open(job.result_key ?? 'results/none');
  if (!blob) {
    // Erased or expired between the two looks: the second one says so.
    await readJob(parts.db, caller.id, path, job_id);
    throw new AppError('INTERNAL_ERROR', 'Something went wrong on the server.');
  }
  return sendImage(reply, job, family, blob);
}

function answerOf(parts: HttpParts, family: Family, job: JobRow, baseUrl: string) {
  const video = family.output === 'video';
  const output =
    video && job.state === 'completed'
      ? {
          video_url: parts.links.to(baseUrl, job.result_key!, job.account_id, job.expires_at),
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
function additive(job: JobRow) {
  return {
    progress: job.progress,
    created_at: new Date(job.created_at).toISOString(),
    expires_at: new Date(job.expires_at).toISOString(),
    ...(job.result_notes !== null && (JSON.parse(job.result_notes) as object)),
  };
}

/** The stored base64 between a prefix and a suffix, with a length: a result never goes through a JSON serializer. */
function sendImage(reply: FastifyReply, job: JobRow, family: Family, blob: OpenBlob) {
  const head = `{"id":${JSON.stringify(job.id)},"status":"${wordOf(family, job.state)}","output":{"images":["`;
  const tail = `"]},${JSON.stringify(additive(job)).slice(1)}`;
  return reply
    .type('application/json; charset=utf-8')
    .header('content-length', Buffer.byteLength(head) + blob.size + Buffer.byteLength(tail))
    .send(
      // Closed with the stream and not by the generator, which never begins when the caller is already gone.
      Readable.from(between(head, blob, tail), { objectMode: false }).once('close', () => void blob.close()),
    );
}

async function* between(head: string, blob: OpenBlob, tail: string): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  yield* blob.stream();
  yield Buffer.from(tail);
}

/** `Prefer: wait=N` in milliseconds, 0 without it. */
function waitOf(request: FastifyRequest): number {
  const prefer = request.headers.prefer;
  if (prefer === undefined) return 0;
  const seconds = /(?:^|[,;\s])wait=(\d{1,6})/i.exec(String(prefer))?.[1];
  return Math.min(Number(seconds ?? 0), maxWaitSeconds) * 1000;
}
