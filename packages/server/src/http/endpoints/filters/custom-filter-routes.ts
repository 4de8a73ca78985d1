import { CatalogQuery, CustomFilter, CustomFilterChange, NewCustomFilter } from '@guise/contract/catalogs.ts';
import { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { FilterTestResult } from '@guise/contract/filter-drafts.ts';
import { z } from 'zod';
import { toRun } from '../../../accounts/authority.ts';
import {
  changeCustomFilter,
  createCustomFilter,
  readCustomFilter,
  readCustomFilters,
  removeCustomFilter,
} from '../../../catalog/custom-filters.ts';
import { renderWaiting } from '../../../catalog/filter-renders.ts';
import { customFilterOf } from '../../../catalog/shown-filters.ts';
import {
  createFilterOnce,
  definitionLongString,
  filterAddress,
  filterTestResult,
  linksFor,
  partsFor,
  shownDetail,
} from '../../custom-filter-requests.ts';
import { preconditionOf, setETag } from '../../etag.ts';
import { callerOf, disconnectSignal, idOf } from '../../request.ts';
import { anyAccountScope, imageBodyBytes, json, none, ok, type Route, route } from '../../route.ts';
import { catalogOf, shapeCatalog } from '../catalog-shape.ts';

const path = '/v1/users/me/my-custom-filters';
const tag = 'Custom filters';
const manageScopes = ['manage'] as const;

/** The preview of a workflow has a GPU for as long as a test has, and costs the account nothing either. */
const countedAsTest = {
  counted: 'tests',
  isCounted: ({ definition }: CustomFilterChange) => definition?.kind === 'workflow',
} as const;

export const customFilterRoutes: Route[] = [
  route({
    ...none,
    method: 'GET',
    path,
    operation: 'listCustomFilters',
    tag,
    summary: 'Custom filters of the caller',
    scopes: anyAccountScope,
    query: CatalogQuery,
    success: catalogOf(CustomFilter),
    handle: async (parts, request, reply) => {
      const linkOf = linksFor(parts, request);
      const rows = await readCustomFilters(parts.db, callerOf(request).id);
      const filters = rows.map((row) => customFilterOf(row, linkOf));
      return shapeCatalog(filters, request, reply);
    },
  }),
  route({
    ...json,
    method: 'POST',
    path,
    operation: 'createCustomFilter',
    tag,
    summary: 'Make a custom filter',
    scopes: manageScopes,
    ...countedAsTest,
    body: NewCustomFilter,
    maxBody: imageBodyBytes,
    longString: definitionLongString,
    success: { status: 201, shape: CustomFilter },
    handle: async (parts, request, reply) => {
      const row = await createFilterOnce(parts, request, (keepKey) =>
        createCustomFilter(partsFor(parts, request), callerOf(request).id, request.body, keepKey),
      );
      parts.changes.publish(renderWaiting);
      setETag(reply, row.version);
      return customFilterOf(row, linksFor(parts, request));
    },
  }),
  {
    ...none,
    method: 'GET',
    path: `${path}/{id}`,
    operation: 'readCustomFilter',
    tag,
    summary: 'A custom filter with its definition, its version and the aliases that point to it',
    scopes: anyAccountScope,
    success: ok(CustomFilterDetail),
    handle: async (parts, request, reply) => {
      const row = await readCustomFilter(parts.db, callerOf(request).id, idOf(request));
      setETag(reply, row.version);
      return shownDetail(parts, request, row);
    },
  },
  route({
    ...json,
    method: 'PATCH',
    path: `${path}/{id}`,
    operation: 'changeCustomFilter',
    takesIfMatch: true,
    tag,
    summary: 'Change a custom filter',
    scopes: manageScopes,
    ...countedAsTest,
    body: CustomFilterChange,
    maxBody: imageBodyBytes,
    longString: definitionLongString,
    success: ok(CustomFilter),
    handle: async (parts, request, reply) => {
      const row = await changeCustomFilter(
        partsFor(parts, request),
        filterAddress(request),
        request.body,
        preconditionOf(request),
      );
      if (request.body.definition) parts.changes.publish(renderWaiting);
      setETag(reply, row.version);
      return customFilterOf(row, linksFor(parts, request));
    },
  }),
  {
    ...none,
    method: 'POST',
    path: `${path}/{id}/test`,
    operation: 'testCustomFilter',
    tag,
    summary: 'What a custom filter makes of a sample photo, uncharged',
    scopes: manageScopes,
    authority: toRun,
    counted: 'tests',
    success: ok(FilterTestResult),
    handle: async (parts, request, reply) => {
      const disconnected = disconnectSignal(reply);
      const row = await readCustomFilter(parts.db, callerOf(request).id, idOf(request));
      return filterTestResult(await parts.tests.run(row, disconnected));
    },
  },
  route({
    ...none,
    method: 'DELETE',
    path: `${path}/{id}`,
    operation: 'deleteCustomFilter',
    takesIfMatch: true,
    tag,
    summary: 'Delete a custom filter; `?force=true` even if aliases point to it',
    scopes: manageScopes,
    // Anything but `true` is not forced.
    query: z.object({ force: z.enum(['true', 'false']).optional().catch(undefined) }),
    success: { status: 204 },
    handle: (parts, request) =>
      removeCustomFilter(
        parts,
        filterAddress(request),
        request.query.force === 'true',
        preconditionOf(request),
      ),
  }),
];
