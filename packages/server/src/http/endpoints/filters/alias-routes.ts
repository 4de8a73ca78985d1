import { Alias, AliasChange, NewAlias } from '@guise/contract/aliases.ts';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  changeAlias,
  createAlias,
  readAlias,
  readAliases,
  removeAlias,
  switchToSafeFilter,
  undoAlias,
  type VersionedAlias,
} from '../../../catalog/aliases.ts';
import { createOnce } from '../../../jobs/create-once.ts';
import { preconditionOf, setETag } from '../../etag.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, idOf } from '../../request.ts';
import { anyAccountScope, json, none, ok, type Route, type RouteRequest, route } from '../../route.ts';
import { idempotencyOf } from '../submit-run.ts';

const tag = 'Aliases';
const manageScopes = ['manage'] as const;

const aliasList = {
  ...none,
  method: 'GET',
  tag,
  summary: 'Aliases of the caller',
  scopes: anyAccountScope,
  success: ok(z.array(Alias)),
  handle: (parts: HttpParts, request: RouteRequest) => readAliases(parts.db, callerOf(request)),
} as const;

const oneAlias = {
  ...none,
  method: 'GET',
  tag,
  summary: 'Resolve an alias',
  scopes: anyAccountScope,
  success: ok(Alias),
  handle: async (parts: HttpParts, request: RouteRequest, reply: FastifyReply) =>
    shown(await readAlias(parts.db, callerOf(request), idOf(request)), reply),
} as const;

/** The alias, with its version in the `ETag`. */
function shown({ alias, version }: VersionedAlias, reply: FastifyReply): Alias {
  setETag(reply, version);
  return alias;
}

export const aliasRoutes: Route[] = [
  { ...aliasList, path: '/api/alias/', operation: 'listAliases' },
  { ...aliasList, path: '/my-aliases/', operation: 'listMyAliases' },
  route({
    ...json,
    method: 'POST',
    path: '/api/alias/',
    operation: 'createAlias',
    tag,
    summary: 'Make an alias',
    scopes: manageScopes,
    body: NewAlias,
    success: { status: 201, shape: Alias },
    handle: async (parts, request, reply) => {
      const caller = callerOf(request);
      const made = await createOnce(parts.db, {
        accountId: caller.id,
        idempotency: idempotencyOf(request),
        create: (keepKey) => createAlias(parts.db, caller, request.body, keepKey),
        find: (id) => readAlias(parts.db, caller, id),
      });
      return shown(made, reply);
    },
  }),
  { ...oneAlias, path: '/api/alias/{id}/', operation: 'resolveAlias' },
  { ...oneAlias, path: '/v1/aliases/{id}', operation: 'readAlias' },
  route({
    ...json,
    method: 'PATCH',
    path: '/api/alias/{id}/',
    operation: 'changeAlias',
    takesIfMatch: true,
    tag,
    summary: 'Point an alias to another filter, or change its project or its safe filter',
    scopes: manageScopes,
    body: AliasChange,
    success: ok(Alias),
    handle: async (parts, request, reply) => {
      const precondition = preconditionOf(request);
      const { body } = request;
      return shown(await changeAlias(parts.db, callerOf(request), idOf(request), body, precondition), reply);
    },
  }),
  {
    ...none,
    method: 'POST',
    path: '/v1/aliases/{id}/undo',
    operation: 'undoAlias',
    takesIfMatch: true,
    tag,
    summary: 'Point an alias to the filter that it had before',
    scopes: manageScopes,
    success: ok(Alias),
    handle: async (parts, request, reply) =>
      shown(await undoAlias(parts.db, callerOf(request), idOf(request), preconditionOf(request)), reply),
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/aliases/{id}/safe',
    operation: 'switchAliasToSafeFilter',
    takesIfMatch: true,
    tag,
    summary: 'Point an alias to its safe filter',
    scopes: manageScopes,
    success: ok(Alias),
    handle: async (parts, request, reply) =>
      shown(
        await switchToSafeFilter(parts.db, callerOf(request), idOf(request), preconditionOf(request)),
        reply,
      ),
  },
  {
    ...none,
    method: 'DELETE',
    path: '/api/alias/{id}/',
    operation: 'deleteAlias',
    takesIfMatch: true,
    tag,
    summary: 'Delete an alias',
    scopes: manageScopes,
    success: { status: 204 },
    handle: (parts, request) =>
      removeAlias(parts.db, callerOf(request), idOf(request), preconditionOf(request)),
  },
];
