import { EventDraft, NewEventDraft } from '@guise/contract/events/event-drafts.ts';
import { BoothEvent } from '@guise/contract/events/events.ts';
import { DraftGoLive } from '@guise/contract/filter-details.ts';
import { toLetRun } from '../../../accounts/authority.ts';
import {
  discardEventDraft,
  makeEventDraftLive,
  readEventDraft,
  readNewFilters,
  saveEventDraft,
  undoEventDraft,
} from '../../../events/event-drafts.ts';
import { linksFor, startLiveChecks } from '../../custom-filter-requests.ts';
import { preconditionOf } from '../../etag.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, idOf } from '../../request.ts';
import { json, none, ok, type Route, type RouteRequest, route } from '../../route.ts';
import { shownEvent } from './event-routes.ts';

const path = '/v1/events/{id}/draft';
const tag = 'Events';
const manage = { scopes: ['manage'], tag } as const;

const partsOf = (parts: HttpParts) => ({ ...parts, freeBytes: () => parts.disk.freeBytes() });

const readShown = (parts: HttpParts, request: RouteRequest) =>
  readEventDraft(partsOf(parts), callerOf(request).id, idOf(request), linksFor(parts, request));

/** Filters whose checks one call begins. */
const mostChecked = 10;

/** An event from a draft to what booths get. `PATCH` of an event goes live at once. */
export const eventDraftRoutes: Route[] = [
  route({
    ...json,
    ...manage,
    authority: toLetRun,
    method: 'PUT',
    path,
    operation: 'saveEventDraft',
    summary: 'Save a change of an event, and check it; booths go on with the event as it is',
    body: NewEventDraft,
    success: ok(BoothEvent),
    handle: async (parts, request, reply) => {
      await saveEventDraft(partsOf(parts), callerOf(request), idOf(request), request.body);
      const filters = await readNewFilters(parts.db, callerOf(request).id, idOf(request));
      await startLiveChecks(parts, filters, { most: mostChecked });
      parts.changes.publish(idOf(request));
      return shownEvent(parts, request, reply);
    },
  }),
  {
    ...none,
    method: 'GET',
    path,
    operation: 'readEventDraft',
    scopes: ['read'],
    tag,
    summary: 'The change of an event that is saved and not live, with what is checked of it',
    success: ok(EventDraft),
    handle: async (parts, request) => {
      const { draft, filters } = await readShown(parts, request);
      // Those beyond the first, and those that were edited since the draft was saved.
      await startLiveChecks(parts, filters, { most: mostChecked });
      return draft;
    },
  },
  {
    ...none,
    ...manage,
    authority: toLetRun,
    method: 'POST',
    path: `${path}/check`,
    operation: 'checkEventDraft',
    summary: 'Check the filters that a draft of an event adds anew, uncharged',
    counted: 'tests',
    success: ok(EventDraft),
    handle: async (parts, request) => {
      const { filters } = await readShown(parts, request);
      await startLiveChecks(parts, filters, { anew: true, most: mostChecked });
      return (await readShown(parts, request)).draft;
    },
  },
  {
    ...none,
    ...manage,
    authority: toLetRun,
    method: 'DELETE',
    path,
    operation: 'discardEventDraft',
    summary: 'Put the draft of an event away',
    success: { status: 204 },
    handle: async (parts, request) => {
      await discardEventDraft(parts, callerOf(request).id, idOf(request));
      parts.changes.publish(idOf(request));
    },
  },
  route({
    ...json,
    ...manage,
    authority: toLetRun,
    method: 'POST',
    path: `${path}/live`,
    operation: 'makeEventDraftLive',
    takesIfMatch: true,
    summary: 'Make the draft of an event what booths get',
    body: DraftGoLive,
    success: ok(BoothEvent),
    handle: async (parts, request, reply) => {
      const check = preconditionOf(request);
      await makeEventDraftLive(partsOf(parts), callerOf(request), idOf(request), request.body, check);
      return shownEvent(parts, request, reply);
    },
  }),
  {
    ...none,
    ...manage,
    authority: toLetRun,
    method: 'POST',
    path: '/v1/events/{id}/undo',
    operation: 'undoEventChange',
    takesIfMatch: true,
    summary: 'Take the last change of an event back that went live from a draft',
    success: ok(BoothEvent),
    handle: async (parts, request, reply) => {
      await undoEventDraft(partsOf(parts), callerOf(request), idOf(request), preconditionOf(request));
      return shownEvent(parts, request, reply);
    },
  },
];
