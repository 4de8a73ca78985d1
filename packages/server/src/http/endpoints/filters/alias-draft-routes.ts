import { Alias, AliasDraft, NewAliasDraft } from '@guise/contract/aliases.ts';
import { DraftGoLive } from '@guise/contract/filter-details.ts';
import { toRun } from '../../../accounts/authority.ts';
import {
  discardAliasDraft,
  makeAliasDraftLive,
  readAliasDraft,
  saveAliasDraft,
} from '../../../catalog/alias-drafts.ts';
import { linksFor, startLiveChecks } from '../../custom-filter-requests.ts';
import { preconditionOf, setETag } from '../../etag.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, idOf } from '../../request.ts';
import { anyAccountScope, json, none, ok, type Route, type RouteRequest, route } from '../../route.ts';

const path = '/v1/aliases/{id}/draft';
const tag = 'Aliases';
const manage = { scopes: ['manage'], tag } as const;

const readDraft = (parts: HttpParts, request: RouteRequest) =>
  readAliasDraft(parts.db, callerOf(request), idOf(request), linksFor(parts, request));

/** Where an alias is to point to, from a draft to what booths get. `PATCH` of an alias goes live at once. */
export const aliasDraftRoutes: Route[] = [
  route({
    ...json,
    ...manage,
    authority: toRun,
    method: 'PUT',
    path,
    operation: 'saveAliasDraft',
    summary: 'Save the filter that an alias is to point to, and check it; booths go on with the live one',
    counted: 'tests',
    body: NewAliasDraft,
    success: ok(AliasDraft),
    handle: async (parts, request) => {
      const filter = await saveAliasDraft(parts.db, callerOf(request), idOf(request), request.body);
      await startLiveChecks(parts, [filter]);
      parts.changes.publish(callerOf(request).id);
      return (await readDraft(parts, request)).draft;
    },
  }),
  {
    ...none,
    method: 'GET',
    path,
    operation: 'readAliasDraft',
    tag,
    summary: 'The filter that an alias is to point to, with what was checked of it',
    scopes: anyAccountScope,
    success: ok(AliasDraft),
    handle: async (parts, request) => {
      const { draft, filter } = await readDraft(parts, request);
      // It may have been edited since it was chosen.
      if (filter) await startLiveChecks(parts, [filter]);
      return draft;
    },
  },
  {
    ...none,
    ...manage,
    authority: toRun,
    method: 'POST',
    path: `${path}/check`,
    operation: 'checkAliasDraft',
    summary: 'Check the filter of a draft anew, uncharged',
    counted: 'tests',
    success: ok(AliasDraft),
    handle: async (parts, request) => {
      const { filter } = await readDraft(parts, request);
      if (filter) await startLiveChecks(parts, [filter], { anew: true });
      return (await readDraft(parts, request)).draft;
    },
  },
  {
    ...none,
    ...manage,
    method: 'DELETE',
    path,
    operation: 'discardAliasDraft',
    summary: 'Put the draft of an alias away',
    success: { status: 204 },
    handle: async (parts, request) => {
      await discardAliasDraft(parts.db, callerOf(request), idOf(request));
      parts.changes.publish(callerOf(request).id);
    },
  },
  route({
    ...json,
    ...manage,
    method: 'POST',
    path: `${path}/live`,
    operation: 'makeAliasDraftLive',
    takesIfMatch: true,
    summary: 'Point an alias to the filter of its draft',
    body: DraftGoLive,
    success: ok(Alias),
    handle: async (parts, request, reply) => {
      const precondition = preconditionOf(request);
      const caller = callerOf(request);
      const live = await makeAliasDraftLive(parts.db, caller, idOf(request), request.body, precondition);
      parts.changes.publish(caller.id);
      setETag(reply, live.version);
      return live.alias;
    },
  }),
];
