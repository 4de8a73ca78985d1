import { Alias, AliasChange, NewAlias } from '@guise/contract/aliases.ts';
import { z } from 'zod';
import { changeAlias, createAlias, readAlias, readAliases, removeAlias } from '../../catalog/aliases.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, idOf } from '../request.ts';
import { json, none, ok, type Route, type RouteRequest, route } from '../route.ts';

const aliasList = {
  ...none,
  method: 'GET',
  scopes: ['read'],
  tag: 'Aliases',
  summary: 'Aliases of the caller',
  success: ok(z.array(Alias)),
  handle: (parts: HttpParts, request: RouteRequest) => readAliases(parts.db, callerOf(request)),
} as const;

export const aliasRoutes: Route[] = [
  { ...aliasList, path: '/api/alias/' },
  { ...aliasList, path: '/my-aliases/' },
  route({
    ...json,
    method: 'POST',
    path: '/api/alias/',
    scopes: ['manage'],
    tag: 'Aliases',
    summary: 'Make an alias',
    body: NewAlias,
    success: { status: 201, shape: Alias },
    handle: (parts, request) => createAlias(parts.db, callerOf(request), request.body),
  }),
  {
    ...none,
    method: 'GET',
    path: '/api/alias/{id}/',
    scopes: ['read'],
    tag: 'Aliases',
    summary: 'Resolve an alias',
    success: ok(Alias),
    handle: (parts, request) => readAlias(parts.db, callerOf(request), idOf(request)),
  },
  route({
    ...json,
    method: 'PATCH',
    path: '/api/alias/{id}/',
    scopes: ['manage'],
    tag: 'Aliases',
    summary: 'Point an alias to another filter, or change its project',
    body: AliasChange,
    success: ok(Alias),
    handle: (parts, request) => changeAlias(parts.db, callerOf(request), idOf(request), request.body),
  }),
  {
    ...none,
    method: 'DELETE',
    path: '/api/alias/{id}/',
    scopes: ['manage'],
    tag: 'Aliases',
    summary: 'Delete an alias',
    success: { status: 204 },
    handle: (parts, request) => removeAlias(parts.db, callerOf(request), idOf(request)),
  },
];
