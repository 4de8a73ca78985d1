import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { entryOf, hasEnded, jobNotFound, type LinkToBlob } from '../../jobs/read.ts';
import { findJob } from '../../store/job-records.ts';
import { isStillAllowed } from '../authenticate.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, disconnectSignal, holdUntilClosed, idOf, jobLinks } from '../request.ts';
import type { RouteRequest } from '../route.ts';

/** Changes made by another process are seen this late. */
const pollIntervalMs = 1000;
/** Within this time something is sent, so that no proxy closes the connection of a job that waits: nothing, if there is nothing. */
const heartbeatMs = 15_000;

/** A job's progress as server-sent events: one now, one at every change, and none after it has ended or its key was revoked. */
export async function streamJobProgress(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<Readable> {
  const job = { id: idOf(request), account_id: callerOf(request).id };
  if (!(await parts.db.one(findJob, job))) throw jobNotFound();
  holdUntilClosed(reply, await parts.admission.job_streams.enter(job.account_id));
  reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store');
  const watched = { job, linkTo: jobLinks(parts, request), isAllowed: () => isStillAllowed(parts, request) };
  return Readable.from(changesOf(parts, watched, disconnectSignal(reply)));
}

interface Watched {
  job: { id: string; account_id: string };
  linkTo: LinkToBlob;
  isAllowed(): Promise<boolean>;
}

async function* changesOf(
  parts: HttpParts,
  { job: wanted, linkTo, isAllowed }: Watched,
  disconnected: AbortSignal,
): AsyncGenerator<string> {
  let last = '';
  let sentAt = performance.now();
  while (!disconnected.aborted && parts.ready()) {
    const changed = Promise.withResolvers<void>();
    const stop = parts.changes.subscribe(wanted.id, changed.resolve);
    const timer = setTimeout(changed.resolve, pollIntervalMs);
    try {
      const job = await parts.db.one(findJob, wanted);
      if (!job) return;
      const { id, status, progress, error } = entryOf(job, linkTo);
      const data = JSON.stringify({ id, status, progress, error });
      const isNew = data !== last;
      if (isNew || performance.now() - sentAt >= heartbeatMs) {
        yield isNew ? `event: ${hasEnded(job) ? 'end' : 'progress'}\ndata: ${data}\n\n` : ':\n\n';
        sentAt = performance.now();
      }
      last = data;
      if (hasEnded(job)) return;
      await changed.promise;
      if (!(await isAllowed())) return;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }
}
