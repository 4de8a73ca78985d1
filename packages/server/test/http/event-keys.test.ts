import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { routes } from '../../src/http/routes.ts';
import { errorIn, request, startTestServer, type TestAccount, type TestServer } from '../support/harness.ts';

let server: TestServer;
let account: TestAccount;
let key: string;
before(async () => {
  server = await startTestServer({ runsPerMinute: 0, testsPerMinute: 0 });
  account = await server.account();
  const event = await account.call('POST', '/v1/events', {
    name: 'Gala',
    starts_at: new Date(Date.now() - 3600_000).toISOString(),
    ends_at: new Date(Date.now() + 3600_000).toISOString(),
  });
  key = (await account.call('POST', `/v1/events/${event.body.id}/keys`, { name: 'tablet' })).body.secret;
});
after(() => server.stop());

const nobody = '00000000-0000-4000-8000-000000000000';

test('an event key is refused on every route but those of booths and those that need no credentials', async () => {
  const wrong: string[] = [];
  for (const { method, path, access, isPage } of routes) {
    if (access === 'public' || isPage) continue;
    const url = path.replaceAll(/\{\w+\}/g, nobody);
    for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }] as Record<
      string,
      string
    >[]) {
      const { status, body } = await request(server.url, method, url, undefined, headers);
      const { code } = errorIn(body);
      const isRefused =
        [401, 403, 404].includes(status) && !['JOB_NOT_FOUND', 'PRINT_NOT_FOUND'].includes(code ?? '');
      const expected = access === 'account' ? status === 403 && code === 'SCOPE_MISSING' : isRefused;
      if (access === 'booth' ? isRefused : !expected) wrong.push(`${method} ${path}: ${status} ${code}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('the routes of booths take no key of an account, no token and no stranger', async () => {
  for (const { method, path } of routes.filter(({ access }) => access === 'booth')) {
    const url = path.replaceAll(/\{\w+\}/g, nobody);
    for (const secret of [account.api_key, account.access_token]) {
      const { status, body } = await request(server.url, method, url, undefined, { 'x-api-key': secret });
      assert.deepEqual([status, body.error_code], [403, 'EVENT_KEY_NEEDED'], path);
    }
    assert.equal((await request(server.url, method, url)).status, 401, path);
  }
});

test('an event key is listed with its event and without scopes, and is revoked as any other', async () => {
  const { keys } = (await account.call('GET', '/v1/keys')).body;
  const listed = keys.find(({ name }: { name: string }) => name === 'tablet');
  assert.deepEqual([listed.scopes, typeof listed.event_id], [[], 'string']);
  const own = { 'x-api-key': key };
  assert.equal((await request(server.url, 'GET', '/v1/booth', undefined, own)).body.name, 'Gala');
  assert.equal((await account.call('DELETE', `/v1/keys/${listed.id}`)).status, 204);
  assert.equal((await request(server.url, 'GET', '/v1/booth', undefined, own)).status, 401);
});
