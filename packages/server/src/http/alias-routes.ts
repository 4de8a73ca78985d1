import { Alias, AliasChange, NewAlias } from '@guise/contract/aliases.ts';
import { z } from 'zod';
import { changeAlias, createAlias, readAlias, readAliases, removeAlias } from '../catalog/aliases.ts';
import { givenBody } from './body.ts';
import { type Call, callerOf, idOf } from './call.ts';
import type { HttpParts } from './parts.ts';
import { json, none, ok, type Route } from './route.ts';
import { shaped } from './shape.ts';

const aliasList = {
  ...none,
  method: 'GET',
  tag: 'Aliases',
  summary: 'Aliases of the caller',
  success: ok(z.array(Alias)),
  handle: (parts: HttpParts, call: Call) => readAliases(parts.db, callerOf(call)),
} as const;

export const aliasRoutes: Route[] = [
  { ...aliasList, path: '/api/alias/' },
  { ...aliasList, path: '/my-aliases/' },
  {
    ...json,
    method: 'POST',
    path: '/api/alias/',
    tag: 'Aliases',
    summary: 'Make an alias',
    body: NewAlias,
    success: { status: 201, shape: Alias },
    handle: (parts, call) => createAlias(parts.db, callerOf(call), shaped(NewAlias, givenBody(call))),
  },
  {
    ...none,
    method: 'GET',
    path: '/api/alias/{id}/',
    tag: 'Aliases',
    summary: 'Resolve an alias',
    success: ok(Alias),
    handle: (parts, call) => readAlias(parts.db, callerOf(call), idOf(call)),
  },
  {
    ...json,
    method: 'PATCH',
    path: '/api/alias/{id}/',
    tag: 'Aliases',
    summary: 'Point an alias to another filter, or change its project',
    body: AliasChange,
    success: ok(Alias),
    handle: (parts, call) =>
      changeAlias(parts.db, callerOf(call), idOf(call), shaped(AliasChange, givenBody(call))),
  },
  {
    ...none,
    method: 'DELETE',
    path: '/api/alias/{id}/',
    tag: 'Aliases',
    summary: 'Delete an alias',
    success: { status: 204 },
    handle: (parts, call) => removeAlias(parts.db, callerOf(call), idOf(call)),
  },
];
