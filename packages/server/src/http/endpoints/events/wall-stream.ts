import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { followWall } from '../../../events/follow-wall.ts';
import { galleryUrlOf } from '../../access/gallery-link.ts';
import { isLinkOf, linkedEventOf, sharedLinks } from '../../access/link-access.ts';
import type { HttpParts } from '../../parts.ts';
import { disconnectSignal, holdUntilClosed } from '../../request.ts';
import type { RouteRequest } from '../../route.ts';

/** The pictures of a wall as they come and go, as server-sent events. */
export async function streamWall(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<Readable> {
  const { event, link } = linkedEventOf(request);
  const signal = disconnectSignal(reply);
  holdUntilClosed(reply, await parts.admission.wall_streams.enter(event.id));
  reply.type('text/event-stream; charset=utf-8');
  const changes = followWall(parts, {
    eventId: event.id,
    isAllowed: (row) => isLinkOf(row, link),
    linkTo: sharedLinks(parts, request),
    galleryUrlOf: (row) => galleryUrlOf(parts, request, row),
    signal,
  });
  return Readable.from(eventsOf(changes));
}

async function* eventsOf(changes: ReturnType<typeof followWall>): AsyncGenerator<string> {
  yield 'retry: 2000\n\n';
  for await (const change of changes)
    yield change ? `event: ${change.type}\ndata: ${JSON.stringify(change.data)}\n\n` : ':\n\n';
}
