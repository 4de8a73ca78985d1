import { CustomFilter, CustomFilterChange, NewCustomFilter } from '@guise/contract/catalogs.ts';
import { z } from 'zod';
import {
  changeCustomFilter,
  createCustomFilter,
  customFilterOf,
  readCustomFilter,
  readCustomFilters,
  removeCustomFilter,
} from '../../catalog/custom-filters.ts';
import { renderWaiting } from '../../catalog/filter-renders.ts';
import type { CustomFilterRow } from '../../store/schema.ts';
import type { LongString } from '../bodies/json-scanner.ts';
import type { HttpParts } from '../parts.ts';
import { baseUrlOf, callerOf, disconnectSignal, idOf } from '../request.ts';
import { imageBodyBytes, json, none, ok, type Route, type RouteRequest, route } from '../route.ts';

const previewLinkMs = 7 * 24 * 3600_000;

export function shownFilter(parts: HttpParts, request: RouteRequest, row: CustomFilterRow): CustomFilter {
  const baseUrl = baseUrlOf(parts, request);
  return customFilterOf(row, (key) =>
    parts.links.create(baseUrl, key, row.account_id, Date.now() + previewLinkMs),
  );
}

/** A template has an image, and a workflow may have long texts. */
function longString(path: readonly string[]): LongString {
  if (path[0] !== 'definition') return 'start';
  return path.length === 2 && path[1] === 'image' ? 'image' : 'whole';
}

/** The parts, which find the images of this request's body. */
function partsFor(parts: HttpParts, { received }: RouteRequest): HttpParts {
  const readPhoto = (image: string) => parts.checks.readPhoto(received?.uploads.get(image) ?? image);
  return { ...parts, checks: { ...parts.checks, readPhoto } };
}

export const customFilterRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/users/me/my-custom-filters',
    scopes: ['run', 'read', 'manage'],
    tag: 'Custom filters',
    summary: 'Custom filters of the caller',
    success: ok(z.array(CustomFilter)),
    handle: async (parts, request) =>
      (await readCustomFilters(parts.db, callerOf(request).id)).map((row) =>
        shownFilter(parts, request, row),
      ),
  },
  route({
    ...json,
    method: 'POST',
    path: '/v1/users/me/my-custom-filters',
    scopes: ['manage'],
    tag: 'Custom filters',
    summary: 'Make a custom filter',
    body: NewCustomFilter,
    maxBody: imageBodyBytes,
    longString,
    success: { status: 201, shape: CustomFilter },
    handle: async (parts, request) => {
      const row = await createCustomFilter(partsFor(parts, request), callerOf(request).id, request.body);
      parts.events.publish(renderWaiting);
      return shownFilter(parts, request, row);
    },
  }),
  route({
    ...json,
    method: 'PATCH',
    path: '/v1/users/me/my-custom-filters/{id}',
    scopes: ['manage'],
    tag: 'Custom filters',
    summary: 'Change a custom filter',
    body: CustomFilterChange,
    maxBody: imageBodyBytes,
    longString,
    success: ok(CustomFilter),
    handle: async (parts, request) => {
      const row = await changeCustomFilter(
        partsFor(parts, request),
        callerOf(request).id,
        idOf(request),
        request.body,
      );
      if (request.body.definition) parts.events.publish(renderWaiting);
      return shownFilter(parts, request, row);
    },
  }),
  {
    ...none,
    method: 'POST',
    path: '/v1/users/me/my-custom-filters/{id}/test',
    scopes: ['manage'],
    tag: 'Custom filters',
    summary: 'What a custom filter makes of a sample photo, uncharged',
    counted: 'tests',
    success: ok(
      z.object({ images: z.array(z.string()), applied: z.array(z.string()), ignored: z.array(z.string()) }),
    ),
    handle: async (parts, request, reply) => {
      const disconnected = disconnectSignal(reply);
      const row = await readCustomFilter(parts.db, callerOf(request).id, idOf(request));
      const { png, applied, ignored } = await parts.tests.run(row, disconnected);
      return { images: [png.toString('base64')], applied, ignored };
    },
  },
  route({
    ...none,
    method: 'DELETE',
    path: '/v1/users/me/my-custom-filters/{id}',
    scopes: ['manage'],
    tag: 'Custom filters',
    summary: 'Delete a custom filter; `?force=true` even if aliases point to it',
    // Anything but `true` is not forced.
    query: z.object({ force: z.enum(['true', 'false']).optional().catch(undefined) }),
    success: { status: 204 },
    handle: (parts, request) =>
      removeCustomFilter(parts, callerOf(request).id, idOf(request), request.query.force === 'true'),
  }),
];
