import { CustomFilter } from '@guise/contract/catalogs.ts';
import {
  CustomFilterDetail,
  CustomFilterExport,
  CustomFilterVersionList,
  FilterCopy,
  VersionedFilterList,
} from '@guise/contract/filter-details.ts';
import { Page } from '@guise/contract/jobs.ts';
import { z } from 'zod';
import {
  duplicateCustomFilter,
  readCustomFilter,
  readCustomFilters,
  restoreVersion,
} from '../../../catalog/custom-filters.ts';
import { renderWaiting } from '../../../catalog/filter-renders.ts';
import { readVersion, readVersionPage, versionNumber } from '../../../catalog/filter-versions.ts';
import { customFilterOf, exportOf, versionedFilterOf, versionOf } from '../../../catalog/shown-filters.ts';
import { createFilterOnce, filterAddress, linksFor, shownDetail } from '../../custom-filter-requests.ts';
import { preconditionOf, setETag } from '../../etag.ts';
import { callerOf, idOf } from '../../request.ts';
import { anyAccountScope, json, none, ok, type Route, route } from '../../route.ts';

const path = '/v1/users/me/my-custom-filters/{id}';
const tag = 'Custom filters';
const manageScopes = ['manage'] as const;

/** Versions of custom filters, and copies of them. */
export const filterVersionRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/custom_filters',
    operation: 'listVersionedFilters',
    tag,
    summary: 'Custom filters of the caller with their live versions and open drafts',
    scopes: anyAccountScope,
    success: ok(VersionedFilterList),
    handle: async (parts, request) => {
      const linkOf = linksFor(parts, request);
      const rows = await readCustomFilters(parts.db, callerOf(request).id);
      return { custom_filters: rows.map((row) => versionedFilterOf(row, linkOf)), next_cursor: null };
    },
  },
  route({
    ...none,
    method: 'GET',
    path: `${path}/versions`,
    operation: 'listCustomFilterVersions',
    tag,
    summary: 'Versions of a custom filter, newest first',
    scopes: anyAccountScope,
    query: Page,
    success: ok(CustomFilterVersionList),
    handle: async (parts, request) => {
      const filter = await readCustomFilter(parts.db, callerOf(request).id, idOf(request));
      const { rows, next_cursor } = await readVersionPage(parts.db, filter, request.query);
      const linkOf = linksFor(parts, request);
      return { versions: rows.map((row) => versionOf(row, filter, linkOf)), next_cursor };
    },
  }),
  {
    ...none,
    method: 'POST',
    path: `${path}/versions/{version}/restore`,
    operation: 'restoreCustomFilterVersion',
    takesIfMatch: true,
    tag,
    summary: 'Make a new version of a custom filter with the definition of an earlier one',
    scopes: manageScopes,
    success: ok(CustomFilterDetail),
    handle: async (parts, request, reply) => {
      const version = versionNumber(request.params.version);
      const row = await restoreVersion(parts, filterAddress(request), version, preconditionOf(request));
      parts.changes.publish(renderWaiting);
      setETag(reply, row.version);
      return shownDetail(parts, request, row);
    },
  },
  route({
    ...json,
    method: 'POST',
    path: `${path}/duplicate`,
    operation: 'duplicateCustomFilter',
    tag,
    summary: 'Make a copy of a custom filter',
    scopes: manageScopes,
    body: FilterCopy,
    success: { status: 201, shape: CustomFilter },
    handle: async (parts, request, reply) => {
      const row = await createFilterOnce(parts, request, (keepKey) =>
        duplicateCustomFilter(parts, filterAddress(request), request.body, keepKey),
      );
      parts.changes.publish(renderWaiting);
      setETag(reply, row.version);
      return customFilterOf(row, linksFor(parts, request));
    },
  }),
  route({
    ...none,
    method: 'GET',
    path: `${path}/export`,
    operation: 'exportCustomFilter',
    tag,
    summary: 'A custom filter as a file: the body that makes it anew',
    scopes: ['read', 'manage'],
    query: z.object({
      version: z.string().optional().meta({ description: 'Without it, the live one' }),
    }),
    success: ok(CustomFilterExport),
    handle: async (parts, request, reply) => {
      const row = await readCustomFilter(parts.db, callerOf(request).id, idOf(request));
      const { version } = request.query;
      const wanted = version === undefined ? row : await readVersion(parts.db, row, versionNumber(version));
      reply.header('content-disposition', `attachment; filename="guise-filter-${row.id}.json"`);
      return exportOf(parts.blobs, { ...wanted, filter_type: row.filter_type });
    },
  }),
];
