import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { readAlias } from '../../catalog/aliases.ts';
import { versionedFilterOf } from '../../catalog/shown-filters.ts';
import { followChanges } from '../../job-pages/follow-changes.ts';
import { entryOf } from '../../jobs/read.ts';
import { isStillAllowed } from '../authenticate.ts';
import { linksFor } from '../custom-filter-requests.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, disconnectSignal, holdUntilClosed, jobLinks } from '../request.ts';
import type { RouteRequest } from '../route.ts';

/** Everything that changes of the caller's account, as server-sent events. */
export async function streamChanges(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<Readable> {
  const caller = callerOf(request);
  const linkTo = jobLinks(parts, request);
  const signal = disconnectSignal(reply);
  holdUntilClosed(reply, await parts.admission.change_streams.enter(caller.id));
  reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-store');
  const lastEventId = request.headers['last-event-id'];
  const changes = followChanges(parts, {
    accountId: caller.id,
    lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
    views: {
      job: (row) => entryOf(row, linkTo),
      filter: (row) => versionedFilterOf(row, linksFor(parts, request)),
      alias: async (id) => (await readAlias(parts.db, caller, id)).alias,
    },
    isAllowed: () => isStillAllowed(parts, request),
    signal,
  });
  return Readable.from(eventsOf(changes));
}

async function* eventsOf(changes: ReturnType<typeof followChanges>): AsyncGenerator<string> {
  // Sent at once: an answer without a body yet is one that a proxy may hold back.
  yield 'retry: 2000\n\n';
  for await (const change of changes) {
    yield change
      ? `id: ${change.eventId}\nevent: ${change.type}\ndata: ${JSON.stringify(change.data)}\n\n`
      : ':\n\n';
  }
}
