import { Readable } from 'node:stream';
import { entryOf, hasEnded, jobNotFound } from '../jobs/read.ts';
import { findJob } from '../store/job-records.ts';
import { type Call, callerOf, goneSignal, idOf, Reply } from './call.ts';
import type { HttpParts } from './parts.ts';

/** Changes made by another process are seen this late. */
const lookMs = 1000;

/** A job's progress as server-sent events: one now, one at every change, and none after it has ended. */
export async function answerJobEvents(parts: HttpParts, call: Call): Promise<Reply> {
  const id = idOf(call);
  const account_id = callerOf(call).id;
  if (!(await parts.db.one(findJob, { id, account_id }))) throw jobNotFound();
  return new Reply(Readable.from(changes(parts, account_id, id, goneSignal(call))), {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  });
}

async function* changes(
  parts: HttpParts,
  account_id: string,
  id: string,
  gone: AbortSignal,
): AsyncGenerator<string> {
  let last = '';
  while (!gone.aborted && parts.ready()) {
    const changed = Promise.withResolvers<void>();
    const stop = parts.events.subscribe(id, changed.resolve);
    const timer = setTimeout(changed.resolve, lookMs);
    try {
      const job = await parts.db.one(findJob, { id, account_id });
      if (!job) return;
      const { status, progress, error } = entryOf(job);
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
