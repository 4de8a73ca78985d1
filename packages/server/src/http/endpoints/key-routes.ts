import { Page } from '@guise/contract/jobs.ts';
import { CreatedKey, Key, KeyChange, KeyList, NewKey } from '@guise/contract/keys.ts';
import { changeKey, createKey, keyWasShown, readKeys, revokeKey } from '../../accounts/keys.ts';
import { createOnce } from '../../jobs/create-once.ts';
import { preconditionOf, setETag } from '../etag.ts';
import { callerOf, idOf } from '../request.ts';
import { json, none, ok, type Route, route } from '../route.ts';
import { idempotencyOf } from './submit-run.ts';

const tag = 'Keys';

export const keyRoutes: Route[] = [
  route({
    ...none,
    method: 'GET',
    path: '/v1/keys',
    operation: 'listKeys',
    scopes: ['read'],
    tag,
    summary: 'Keys and tokens of the caller, newest first',
    query: Page,
    success: ok(KeyList),
    handle: (parts, request) => readKeys(parts.db, callerOf(request).id, request.query),
  }),
  route({
    ...json,
    method: 'POST',
    path: '/v1/keys',
    operation: 'createKey',
    scopes: ['manage'],
    tag,
    summary: 'Make a key that may do no more than the caller; its secret is shown once',
    body: NewKey,
    success: { status: 201, shape: CreatedKey },
    handle: async (parts, request, reply) => {
      const caller = callerOf(request);
      const made = await createOnce(parts.db, {
        accountId: caller.id,
        idempotency: idempotencyOf(request),
        create: (keepKey) => createKey(parts.db, caller, request.body, keepKey),
        find: () => Promise.reject(keyWasShown()),
      });
      setETag(reply, made.version);
      reply.header('cache-control', 'no-store');
      return made.key;
    },
  }),
  route({
    ...json,
    method: 'PATCH',
    path: '/v1/keys/{id}',
    operation: 'changeKey',
    takesIfMatch: true,
    scopes: ['manage'],
    tag,
    summary: 'Change the name, the budget or the expiry of a key',
    body: KeyChange,
    success: ok(Key),
    handle: async (parts, request, reply) => {
      const [id, check] = [idOf(request), preconditionOf(request)];
      const changed = await changeKey(parts, callerOf(request), id, request.body, check);
      setETag(reply, changed.version);
      return changed.key;
    },
  }),
  {
    ...none,
    method: 'DELETE',
    path: '/v1/keys/{id}',
    operation: 'revokeKey',
    takesIfMatch: true,
    scopes: ['manage'],
    tag,
    summary: 'Revoke a key or a token',
    success: { status: 204 },
    handle: (parts, request) => revokeKey(parts, callerOf(request), idOf(request), preconditionOf(request)),
  },
];
