import { Ratio } from '@guise/contract/common.ts';
import { EventErasure } from '@guise/contract/events/erasure.ts';
import {
  BoothEvent,
  BoothEventChange,
  BoothEventList,
  EventJobList,
  NewBoothEvent,
  NewEventKey,
  NewEventOverlay,
} from '@guise/contract/events/events.ts';
import { Page } from '@guise/contract/jobs.ts';
import { CreatedKey } from '@guise/contract/keys.ts';
import type { FastifyReply } from 'fastify';
import { toLetRun, toManageOthers } from '../../../accounts/authority.ts';
import { createEventKey } from '../../../accounts/event-keys.ts';
import { keyWasShown } from '../../../accounts/keys.ts';
import { AppError } from '../../../errors.ts';
import { eraseEvent } from '../../../events/erase-event.ts';
import { readOverlays, removeOverlay, storeOverlay } from '../../../events/event-overlays.ts';
import { readEventJobs } from '../../../events/event-pictures.ts';
import {
  changeEvent,
  createEvent,
  readEvent,
  readEvents,
  removeEvent,
  type StoredEvent,
} from '../../../events/events.ts';
import { createOnce } from '../../../jobs/create-once.ts';
import { preconditionOf, setETag } from '../../etag.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, disconnectSignal, idOf, jobLinks } from '../../request.ts';
import { imageBodyBytes, json, none, ok, type Route, type RouteRequest, route } from '../../route.ts';
import { photoLinksFor } from '../blob-links.ts';
import { idempotencyOf } from '../submit-run.ts';

const read = { scopes: ['read'], tag: 'Events' } as const;
const manage = { scopes: ['manage'], tag: 'Events' } as const;

/** An event as its account reads it, with the version in the `ETag`. */
export async function shownEvent(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
  id = idOf(request),
): Promise<BoothEvent> {
  const { version, event } = await readEvent(parts.db, callerOf(request).id, id);
  setETag(reply, version);
  return withOverlays(parts, request, event);
}

async function withOverlays(
  parts: HttpParts,
  request: RouteRequest,
  event: StoredEvent,
): Promise<BoothEvent> {
  const { id, role } = callerOf(request);
  const { toBlob } = photoLinksFor(parts, request, id);
  const { gpu_seconds, cost_usd, ...shown } = event;
  return {
    ...shown,
    // What servers take is the operator's money.
    ...(role === 'operator' && { gpu_seconds, cost_usd }),
    overlays: await readOverlays(parts.db, event.id, toBlob),
  };
}

const ownOf = (request: RouteRequest) => ({ id: idOf(request), account_id: callerOf(request).id });

function overlayOf(request: RouteRequest) {
  const ratio = Ratio.safeParse(request.params.ratio);
  if (!ratio.success) throw new AppError('NOT_FOUND', 'An overlay is for portrait, landscape or square.');
  return { ...ownOf(request), ratio: ratio.data };
}

export const eventRoutes: Route[] = [
  route({
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/events',
    operation: 'listEvents',
    summary: 'Events of the caller, newest first',
    query: Page,
    success: ok(BoothEventList),
    handle: async (parts, request) => {
      const { events, ...page } = await readEvents(parts.db, callerOf(request).id, request.query);
      return {
        events: await Promise.all(events.map((event) => withOverlays(parts, request, event))),
        ...page,
      };
    },
  }),
  route({
    ...json,
    ...manage,
    authority: toLetRun,
    method: 'POST',
    path: '/v1/events',
    operation: 'createEvent',
    summary: 'Make an event: when, what is offered, for how many credits, and what guests agree to',
    body: NewBoothEvent,
    success: { status: 201, shape: BoothEvent },
    handle: async (parts, request, reply) => {
      const caller = callerOf(request);
      const { id } = await createOnce(parts.db, {
        accountId: caller.id,
        idempotency: idempotencyOf(request),
        create: (keepKey) => createEvent(parts, caller, request.body, keepKey),
        find: async (id) => ({ id }),
      });
      return shownEvent(parts, request, reply, id);
    },
  }),
  {
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/events/{id}',
    operation: 'readEvent',
    summary: 'An event',
    success: ok(BoothEvent),
    handle: (parts, request, reply) => shownEvent(parts, request, reply),
  },
  route({
    ...json,
    ...manage,
    authority: toLetRun,
    method: 'PATCH',
    path: '/v1/events/{id}',
    operation: 'changeEvent',
    takesIfMatch: true,
    summary: 'Change, pause or close an event, or switch it to its safe offer',
    body: BoothEventChange,
    success: ok(BoothEvent),
    handle: async (parts, request, reply) => {
      const check = preconditionOf(request);
      await changeEvent(parts, callerOf(request), idOf(request), request.body, check);
      return shownEvent(parts, request, reply);
    },
  }),
  {
    ...none,
    ...manage,
    authority: toManageOthers,
    method: 'DELETE',
    path: '/v1/events/{id}',
    operation: 'deleteEvent',
    takesIfMatch: true,
    summary: 'Delete an event that has nothing of guests, and revoke its keys',
    success: { status: 204 },
    handle: async (parts, request) => {
      await removeEvent(parts, callerOf(request).id, idOf(request), preconditionOf(request));
      parts.callers.forget();
    },
  },
  route({
    ...json,
    ...manage,
    authority: toLetRun,
    method: 'POST',
    path: '/v1/events/{id}/keys',
    operation: 'createEventKey',
    summary: 'Make a key for the booths of an event: it can do nothing else; its secret is shown once',
    body: NewEventKey,
    success: { status: 201, shape: CreatedKey },
    handle: async (parts, request, reply) => {
      const caller = callerOf(request);
      const made = await createOnce(parts.db, {
        accountId: caller.id,
        idempotency: idempotencyOf(request),
        create: (keepKey) => createEventKey(parts.db, caller, idOf(request), request.body, keepKey),
        find: () => Promise.reject(keyWasShown()),
      });
      setETag(reply, made.version);
      reply.header('cache-control', 'no-store');
      return made.key;
    },
  }),
  route({
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/events/{id}/jobs',
    operation: 'listEventJobs',
    summary: 'Jobs of an event with the consents of their guests, newest first',
    query: Page,
    success: ok(EventJobList),
    handle: (parts, request) =>
      readEventJobs(parts.db, ownOf(request), request.query, jobLinks(parts, request)),
  }),
  route({
    ...json,
    ...manage,
    authority: toManageOthers,
    method: 'PUT',
    path: '/v1/events/{id}/overlays/{ratio}',
    operation: 'setEventOverlay',
    summary: 'A PNG that is laid over pictures of one shape, unless it would cover a face',
    body: NewEventOverlay,
    maxBody: imageBodyBytes,
    longString: (path) => (path.length === 1 && path[0] === 'image' ? 'image' : 'start'),
    counted: 'tests',
    success: ok(BoothEvent),
    handle: async (parts, request, reply) => {
      const image = request.received?.uploads.get(request.body.image) ?? request.body.image;
      await storeOverlay(parts, overlayOf(request), image, disconnectSignal(reply));
      return shownEvent(parts, request, reply);
    },
  }),
  {
    ...none,
    ...manage,
    authority: toManageOthers,
    method: 'DELETE',
    path: '/v1/events/{id}/overlays/{ratio}',
    operation: 'removeEventOverlay',
    summary: 'Lay nothing over pictures of this shape any more',
    success: { status: 204 },
    handle: (parts, request) => removeOverlay(parts, overlayOf(request)),
  },
  {
    ...none,
    ...manage,
    authority: toManageOthers,
    method: 'POST',
    path: '/v1/events/{id}/erase',
    operation: 'eraseEvent',
    takesIfMatch: true,
    summary: 'Close an event and erase everything that guests made there, with a receipt',
    success: ok(EventErasure),
    handle: async (parts, request) => {
      const check = preconditionOf(request);
      const erasure = await eraseEvent(parts, callerOf(request).id, idOf(request), check);
      parts.callers.forget();
      return erasure;
    },
  },
];
