import { CustomFilter, CustomFilterChange, NewCustomFilter } from '@guise/contract/catalogs.ts';
import { z } from 'zod';
import {
  changeCustomFilter,
  createCustomFilter,
  customFilterOf,
  readCustomFilter,
  readCustomFilters,
  removeCustomFilter,
} from '../catalog/custom-filters.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import { givenBody } from './body.ts';
import { baseUrlOf, type Call, callerOf, idOf } from './call.ts';
import type { HttpParts } from './parts.ts';
import { imageBodyBytes, json, none, ok, type Route } from './route.ts';
import { shaped } from './shape.ts';

const previewLinkMs = 7 * 24 * 3600_000;

function shownFilter(parts: HttpParts, call: Call, row: CustomFilterRow): CustomFilter {
  const baseUrl = baseUrlOf(parts, call);
  return customFilterOf(row, (key) =>
    parts.links.to(baseUrl, key, row.account_id, Date.now() + previewLinkMs),
  );
}

export const customFilterRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/users/me/my-custom-filters',
    tag: 'Custom filters',
    summary: 'Custom filters of the caller',
    success: ok(z.array(CustomFilter)),
    handle: async (parts, call) =>
      (await readCustomFilters(parts.db, callerOf(call).id)).map((row) => shownFilter(parts, call, row)),
  },
  {
    ...json,
    method: 'POST',
    path: '/v1/users/me/my-custom-filters',
    tag: 'Custom filters',
    summary: 'Make a custom filter',
    body: NewCustomFilter,
    maxBody: imageBodyBytes,
    success: { status: 201, shape: CustomFilter },
    handle: async (parts, call) => {
      const wanted = shaped(NewCustomFilter, givenBody(call));
      const row = await createCustomFilter(parts, callerOf(call).id, wanted);
      parts.previews.make(row.id);
      return shownFilter(parts, call, row);
    },
  },
  {
    ...json,
    method: 'PATCH',
    path: '/v1/users/me/my-custom-filters/{id}',
    tag: 'Custom filters',
    summary: 'Change a custom filter',
    body: CustomFilterChange,
    maxBody: imageBodyBytes,
    success: ok(CustomFilter),
    handle: async (parts, call) => {
      const change = shaped(CustomFilterChange, givenBody(call));
      const row = await changeCustomFilter(parts, callerOf(call).id, idOf(call), change);
      if (change.definition) parts.previews.make(row.id);
      return shownFilter(parts, call, row);
    },
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/users/me/my-custom-filters/{id}/test',
    tag: 'Custom filters',
    summary: 'What a custom filter makes of a sample photo, uncharged',
    success: ok(
      z.object({ images: z.array(z.string()), applied: z.array(z.string()), ignored: z.array(z.string()) }),
    ),
    handle: async (parts, call) => {
      const row = await readCustomFilter(parts.db, callerOf(call).id, idOf(call));
      const { png, applied, ignored } = await parts.previews.try(row);
      return { images: [png.toString('base64')], applied, ignored };
    },
  },
  {
    ...none,
    method: 'DELETE',
    path: '/v1/users/me/my-custom-filters/{id}',
    tag: 'Custom filters',
    summary: 'Delete a custom filter; `?force=true` even if aliases point to it',
    query: z.object({ force: z.enum(['true', 'false']).optional() }),
    success: { status: 204 },
    handle: async (parts, call) => {
      const force = (call.query as { force?: string }).force === 'true';
      await removeCustomFilter(parts, callerOf(call).id, idOf(call), force);
    },
  },
];
