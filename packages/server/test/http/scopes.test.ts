import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Scope } from '@guise/contract/scopes.ts';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { routes } from '../../src/http/routes.ts';
import { errorIn, request, startTestServer, type TestServer } from '../support/harness.ts';

let server: TestServer;
/** Keys of an operator with one scope each, and with all. */
const keys = new Map<string, { scopes: readonly Scope[]; secret: string }>();
/** Keys of an operator with all scopes, and with a budget or an expiry. */
const limitedKeys = new Map<string, string>();
before(async () => {
  server = await startTestServer({ runsPerMinute: 0, testsPerMinute: 0 });
  const account = await createAccount(server.db, { email: 'op@example.com', credits: 10, role: 'operator' });
  const make = async (name: string, scopes: readonly Scope[], limit = {}) => {
    const { secret } = await createCredential(server.db, account.id, { kind: 'key', name, scopes, ...limit });
    return secret;
  };
  for (const scopes of [...Scope.options.map((scope) => [scope]), Scope.options]) {
    const name = scopes.join(' ');
    keys.set(name, { scopes, secret: await make(name, scopes) });
  }
  for (const limit of [{ budget: 5 }, { expiresAt: Date.now() + 3600_000 }]) {
    const [name] = Object.keys(limit);
    limitedKeys.set(name!, await make(name!, Scope.options, limit));
  }
});
after(() => server.stop());

const accountRoutes = routes.filter(({ access }) => access === 'account');
const nobody = '00000000-0000-4000-8000-000000000000';

test('every endpoint of accounts names the scopes that it needs, and no public one does', () => {
  const wrong = routes.filter(({ access, scopes }) => (access === 'account') !== scopes.length > 0);
  assert.deepEqual(
    wrong.map(({ path }) => path),
    [],
  );
});

/**
 * Endpoints that make, change or end something which others use: the scopes of that, which the caller needs too, and
 * whether it is refused to keys with a budget or an expiry, which would not limit it.
 */
const authorities: Record<string, { needed: readonly Scope[]; forLimited: boolean }> = {
  'POST /v1/qa_runs': { needed: ['run'], forLimited: true },
  'POST /v1/qa_runs/{id}/cells/{cell_id}/retry': { needed: ['run'], forLimited: true },
  'POST /v1/filter_drafts/test': { needed: ['run'], forLimited: true },
  'POST /v1/users/me/my-custom-filters/{id}/test': { needed: ['run'], forLimited: true },
  'POST /v1/users/me/my-custom-filters/{id}/drafts': { needed: ['run'], forLimited: true },
  'POST /v1/users/me/my-custom-filters/{id}/versions/{version}/check': { needed: ['run'], forLimited: true },
  'PUT /v1/aliases/{id}/draft': { needed: ['run'], forLimited: true },
  'POST /v1/aliases/{id}/draft/check': { needed: ['run'], forLimited: true },
  'POST /v1/quick_test_links': { needed: ['run'], forLimited: false },
  'PATCH /v1/quick_test_links/{id}': { needed: ['run'], forLimited: false },
  'DELETE /v1/quick_test_links/{id}': { needed: [], forLimited: false },
  'POST /v1/scenes/{id}/preview': { needed: ['run'], forLimited: true },
  'POST /v1/events': { needed: ['run'], forLimited: false },
  'PATCH /v1/events/{id}': { needed: ['run'], forLimited: false },
  'PUT /v1/events/{id}/draft': { needed: ['run'], forLimited: false },
  'POST /v1/events/{id}/draft/check': { needed: ['run'], forLimited: false },
  'DELETE /v1/events/{id}/draft': { needed: ['run'], forLimited: false },
  'POST /v1/events/{id}/draft/live': { needed: ['run'], forLimited: false },
  'POST /v1/events/{id}/undo': { needed: ['run'], forLimited: false },
  'DELETE /v1/events/{id}': { needed: [], forLimited: false },
  'POST /v1/events/{id}/keys': { needed: ['run'], forLimited: false },
  'POST /v1/events/{id}/links': { needed: ['read'], forLimited: false },
  'POST /v1/events/{id}/erase': { needed: [], forLimited: false },
  'PUT /v1/events/{id}/overlays/{ratio}': { needed: [], forLimited: false },
  'DELETE /v1/events/{id}/overlays/{ratio}': { needed: [], forLimited: false },
  'POST /v1/events/{id}/prints': { needed: [], forLimited: false },
  'POST /v1/events/{id}/prints/{print_id}/cancel': { needed: [], forLimited: false },
  'POST /v1/printers': { needed: [], forLimited: false },
  'DELETE /v1/printers/{id}': { needed: [], forLimited: false },
  'POST /v1/printers/{id}/test': { needed: [], forLimited: false },
  'DELETE /v1/keys/{id}': { needed: [], forLimited: false },
  'DELETE /v1/sessions': { needed: [], forLimited: false },
  'DELETE /v1/sessions/{id}': { needed: [], forLimited: false },
  'POST /v1/accounts': { needed: [], forLimited: false },
  'POST /v1/accounts/{id}/credits': { needed: [], forLimited: false },
  'PUT /v1/guest_address': { needed: [], forLimited: false },
  'POST /v1/backups': { needed: [], forLimited: false },
  'GET /v1/backups/{name}': { needed: [], forLimited: false },
  'POST /v1/backups/{name}/restore': { needed: [], forLimited: false },
  'DELETE /v1/backups/{name}': { needed: [], forLimited: false },
  'PUT /v1/backups/{name}': { needed: [], forLimited: false },
  'PUT /v1/standing_webhook': { needed: [], forLimited: false },
  'PATCH /v1/settings': { needed: [], forLimited: false },
  'POST /v1/engines/test': { needed: [], forLimited: false },
  'POST /v1/engines': { needed: [], forLimited: false },
  'PATCH /v1/engines/{name}': { needed: [], forLimited: false },
  'DELETE /v1/engines/{name}': { needed: [], forLimited: false },
  'POST /v1/engine_downloads': { needed: [], forLimited: false },
  'DELETE /v1/engine_downloads': { needed: [], forLimited: false },
  'POST /v1/engines/{name}/trials': { needed: [], forLimited: false },
  'POST /v1/restart': { needed: [], forLimited: false },
  'POST /v1/models/{name}/fetch': { needed: [], forLimited: false },
};

test('every endpoint that needs more than a scope of its own is one of the table', () => {
  const named = routes.map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(
    Object.keys(authorities).filter((name) => !named.includes(name)),
    [],
  );
});

/** What signs in is for sessions alone, after the scope. */
async function assertAllowed(name: string, response: Response): Promise<void> {
  const isRefused = [401, 403].includes(response.status);
  const answer = isRefused ? ((await response.json()) as { error_code: string }) : undefined;
  assert.ok(!answer || answer.error_code === 'SESSION_NEEDED', `${name}: ${response.status}`);
  if (!answer) await response.body?.cancel();
}

for (const { method, path, scopes } of accountRoutes) {
  const { needed, forLimited } = authorities[`${method} ${path}`] ?? { needed: [], forLimited: true };
  const also = needed.length > 0 ? ` that have ${needed.join(' and ')} too` : '';
  test(`${method} ${path} is for keys with ${scopes.join(' or ')}${also}`, async () => {
    const url = server.url + path.replaceAll(/\{\w+\}/g, nobody);
    // All at once: whoever asks for the doctor at the same time shares its answer.
    const ask = (secret: string) => fetch(url, { method, headers: { 'x-api-key': secret } });
    const [asked, askedLimited] = await Promise.all([
      Promise.all([...keys].map(async ([name, key]) => ({ name, key, response: await ask(key.secret) }))),
      Promise.all([...limitedKeys].map(async ([name, secret]) => ({ name, response: await ask(secret) }))),
    ]);
    for (const { name, key, response } of asked) {
      const hasOne = scopes.some((scope) => key.scopes.includes(scope));
      if (hasOne && needed.every((scope) => key.scopes.includes(scope))) {
        await assertAllowed(name, response);
        continue;
      }
      const { code, sentence } = errorIn(await response.json());
      assert.deepEqual([response.status, code], [403, 'SCOPE_MISSING'], name);
      for (const missing of hasOne ? needed : scopes) assert.ok(sentence.includes(missing), sentence);
    }
    for (const { name, response } of askedLimited) {
      if (forLimited) {
        await assertAllowed(name, response);
        continue;
      }
      const body = (await response.json()) as { error_code: string };
      assert.deepEqual([response.status, body.error_code], [403, 'KEY_LIMITED'], name);
    }
  });
}

test('a key without scopes has run, read and manage, and a token too', async () => {
  const { api_key, access_token } = await server.account();
  for (const secret of [api_key, access_token]) {
    const call = (method: string, path: string) =>
      request(server.url, method, path, undefined, { authorization: `Bearer ${secret}` });
    assert.equal((await call('POST', '/v6/run/face_swap')).status, 400);
    assert.equal((await call('GET', '/api/alias/')).status, 200);
    assert.equal((await call('DELETE', `/api/alias/${nobody}/`)).status, 404);
  }
});

test('the scope operator is worth nothing to an account that is no operator', async () => {
  const { id } = await server.account();
  const key = { kind: 'key', name: 'wants more', scopes: ['operator', 'read'] } as const;
  const { secret } = await createCredential(server.db, id, key);
  const call = (path: string) => request(server.url, 'GET', path, undefined, { 'x-api-key': secret });
  assert.equal((await call('/v1/jobs')).status, 200);
  for (const { path } of accountRoutes.filter(({ scopes }) => scopes.includes('operator'))) {
    // Some are for every key of an account, too.
    if (['/v1/users/me', '/v1/guest_address'].includes(path)) continue;
    const { status, body } = await call(path);
    assert.notEqual(status, 200, path);
    assert.ok(['SCOPE_MISSING', 'METHOD_NOT_ALLOWED'].includes(body.error_code), path);
  }
});

test('who has no valid credentials is not told of scopes', async () => {
  const { status, body } = await request(server.url, 'GET', '/v1/jobs');
  assert.deepEqual([status, body.error_code], [401, 'UNAUTHORIZED']);
});
