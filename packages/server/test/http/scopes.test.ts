import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Scope } from '@guise/contract/scopes.ts';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { routes } from '../../src/http/routes.ts';
import { request, startTestServer, type TestServer } from '../support/harness.ts';

let server: TestServer;
/** Keys of an operator with one scope each. */
const keys = new Map<Scope, string>();
before(async () => {
  server = await startTestServer({ runsPerMinute: 0, testsPerMinute: 0 });
  const account = await createAccount(server.db, { email: 'op@example.com', credits: 10, role: 'operator' });
  for (const scope of Scope.options) {
    const key = { kind: 'key', name: scope, scopes: [scope] } as const;
    keys.set(scope, (await createCredential(server.db, account.id, key)).secret);
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

for (const { method, path, scopes } of accountRoutes) {
  test(`${method} ${path} is for keys with ${scopes.join(' or ')}`, async () => {
    const url = server.url + path.replaceAll(/\{\w+\}/g, nobody);
    for (const [scope, key] of keys) {
      const response = await fetch(url, { method, headers: { 'x-api-key': key } });
      if (scopes.includes(scope)) {
        assert.ok(![401, 403].includes(response.status), `${scope}: ${response.status}`);
        await response.body?.cancel();
        continue;
      }
      const body = (await response.json()) as { error_code: string; error: string };
      assert.deepEqual([response.status, body.error_code], [403, 'SCOPE_MISSING'], scope);
      for (const needed of scopes) assert.ok(body.error.includes(needed), body.error);
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
    if (path === '/v1/users/me') continue;
    const { status, body } = await call(path);
    assert.notEqual(status, 200, path);
    assert.ok(['SCOPE_MISSING', 'METHOD_NOT_ALLOWED'].includes(body.error_code), path);
  }
});

test('who has no valid credentials is not told of scopes', async () => {
  const { status, body } = await request(server.url, 'GET', '/v1/jobs');
  assert.deepEqual([status, body.error_code], [401, 'UNAUTHORIZED']);
});
