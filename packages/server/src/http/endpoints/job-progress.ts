import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { entryOf, hasEnded, jobNotFound, type LinkToBlob } from '../../jobs/read.ts';
import { findJob } from '../../store/job-records.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, disconnectSignal, holdUntilClosed, idOf, jobLinks } from '../request.ts';
import type { RouteRequest } from '../route.ts';

/** Changes made by another process are seen this late. */
const pollIntervalMs = 1000;

/** A job's progress as server-sent events: one now, one at every change, and none after it has ended. */
export async function streamJobProgress(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<Readable> {
  const job = { id: idOf(request), account_id: callerOf(request).id };
  if (!(await parts.db.one(findJob, job))) throw jobNotFound();
  holdUntilClosed(reply, await parts.admission.job_streams.enter(job.account_id));
  reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store');
  return Readable.from(changesOf(parts, job, jobLinks(parts, request), disconnectSignal(reply)));
}

async function* changesOf(
  parts: HttpParts,
  wanted: { id: string; account_id: string },
  linkTo: LinkToBlob,
  disconnected: AbortSignal,
): AsyncGenerator<string> {
  let last = '';
  while (!disconnected.aborted && parts.ready()) {
    const changed = Promise.withResolvers<void>();
    const stop = parts.changes.subscribe(wanted.id, changed.resolve);
    const timer = setTimeout(changed.resolve, pollIntervalMs);
    try {
      const job = await parts.db.one(findJob, wanted);
      if (!job) return;
      const { id, status, progress, error } = entryOf(job, linkTo);
      const data = JSON.stringify({ id, status, progress, error });
      if (data !== last) yield `event: ${hasEnded(job) ? 'end' : 'progress'}\ndata: ${data}\n\n`;
      last = data;
      if (hasEnded(job)) return;
      await changed.promise;
    } finally {
      clearTimeout(timer);
      stop();
    }
  }
}
