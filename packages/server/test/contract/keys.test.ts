import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { caseOf } from '../support/contract-cases.ts';
import { accountOn, request, startTestServer, type TestServer, until } from '../support/harness.ts';
import { untilAborted } from '../support/test-engine.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

const { run, status, body: photoRun, price } = caseOf('face_swap_v6');
const withKey = (secret: string) => {
  return (method: string, path: string, body?: unknown, headers = {}) =>
    request(server.url, method, path, body, { 'x-api-key': secret, ...headers });
};
const keyFields = [
  'id',
  'kind',
  'name',
  'last4',
  'scopes',
  'budget',
  'spent',
  'created_at',
  'expires_at',
  'last_used',
  'state',
  'event_id',
  'made_by',
];

test('a key is made, shown once, listed, renamed and revoked at once', async () => {
  const account = await server.account();
  const made = await account.call('POST', '/v1/keys', { name: ' Booth 1 ', scopes: ['run'] });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('cache-control'), 'no-store');
  const { secret, ...key } = made.body;
  assert.deepEqual(Object.keys(key), keyFields);
  assert.deepEqual([key.name, key.kind, key.scopes, key.budget], ['Booth 1', 'key', ['run'], null]);
  assert.deepEqual([key.spent, key.state, key.last4], [0, 'valid', secret.slice(-4)]);
  const call = withKey(secret);
  assert.equal((await call('GET', '/v1/users/me')).body.key.id, key.id);
  assert.equal((await call('GET', '/v1/keys')).body.error_code, 'SCOPE_MISSING');

  const listed = await account.call('GET', '/v1/keys');
  assert.equal(listed.body.next_cursor, null);
  assert.deepEqual(listed.body.keys.map(({ name }: { name: string }) => name).sort(), [
    'Booth 1',
    'first key',
    'first token',
  ]);
  assert.ok(!JSON.stringify(listed.body).includes(secret));

  const renamed = await account.call('PATCH', `/v1/keys/${key.id}`, { name: 'Booth 2' });
  assert.deepEqual([renamed.status, renamed.body.name, renamed.body.scopes], [200, 'Booth 2', ['run']]);
  assert.equal((await account.call('DELETE', `/v1/keys/${key.id}`)).status, 204);
  assert.equal((await call('GET', '/v1/users/me')).status, 401);
  assert.equal((await account.call('DELETE', `/v1/keys/${key.id}`)).status, 404);
  const { keys } = (await account.call('GET', '/v1/keys')).body;
  assert.equal(keys.find(({ id }: { id: string }) => id === key.id).state, 'revoked');
});

test('keys come in pages, and those of another account are not there', async () => {
  const [account, other] = [await server.account(), await server.account()];
  for (let n = 0; n < 3; n++) await account.call('POST', '/v1/keys', { name: `key ${n}` });
  const all = (await account.call('GET', '/v1/keys')).body.keys;
  const page = (await account.call('GET', '/v1/keys?limit=3')).body;
  const rest = (await account.call('GET', `/v1/keys?limit=3&cursor=${page.next_cursor}`)).body;
  assert.deepEqual([...page.keys, ...rest.keys], all);
  assert.equal(all.length, 5);
  for (const [method, body] of [
    ['PATCH', { name: 'mine' }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await other.call(method, `/v1/keys/${all[0].id}`, body);
    assert.deepEqual([answer.status, answer.body.error_code], [404, 'KEY_NOT_FOUND']);
  }
});

test('a key is changed by whoever has read it last', async () => {
  const account = await server.account();
  const made = await account.call('POST', '/v1/keys', { name: 'one' });
  const path = `/v1/keys/${made.body.id}`;
  const etag = made.headers.get('etag')!;
  const changed = await account.call('PATCH', path, { name: 'two' }, { 'if-match': etag });
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get('etag'), etag);
  for (const [method, body] of [
    ['PATCH', { name: 'three' }],
    ['DELETE', undefined],
  ] as const) {
    const stale = await account.call(method, path, body, { 'if-match': etag });
    assert.deepEqual([stale.status, stale.body.error_code], [412, 'CHANGED_ELSEWHERE']);
  }
  const current = { 'if-match': changed.headers.get('etag')! };
  assert.equal((await account.call('DELETE', path, undefined, current)).status, 204);
});

test('a key cannot make one that may do more than itself', async () => {
  const account = await server.account();
  const make = async (fields: object, secret = account.api_key) =>
    withKey(secret)('POST', '/v1/keys', { name: 'key', ...fields });
  const refused = await make({ scopes: ['run', 'operator'] });
  assert.deepEqual([refused.status, refused.body.error_code], [403, 'SCOPE_MISSING']);
  assert.ok(refused.body.error.includes('operator'));

  const manager = (await make({ scopes: ['manage'] })).body.secret;
  assert.equal((await make({ scopes: ['run'] }, manager)).status, 403);
  assert.equal((await make({}, manager)).status, 403);
  assert.equal((await make({ scopes: ['manage'] }, manager)).status, 201);

  const expires_at = new Date(Date.now() + 3600_000).toISOString();
  for (const limit of [{ budget: 5 }, { expires_at }]) {
    const limited = (await make({ scopes: ['manage'], ...limit })).body;
    const more = await make({ scopes: ['manage'] }, limited.secret);
    assert.deepEqual([more.status, more.body.error_code], [403, 'KEY_LIMITED']);
    const lifted = { budget: null, expires_at: null };
    const change = await withKey(limited.secret)('PATCH', `/v1/keys/${limited.id}`, lifted);
    assert.deepEqual([change.status, change.body.error_code], [403, 'KEY_LIMITED']);
  }
});

test('a key changes the limits of those keys alone that it could make itself', async () => {
  const account = await server.account();
  const make = async (fields: object) =>
    (await account.call('POST', '/v1/keys', { name: 'key', ...fields })).body;
  const booth = await make({ scopes: ['run'], budget: 2 });
  const [manager, both] = [await make({ scopes: ['manage'] }), await make({ scopes: ['run', 'manage'] })];
  const event = await account.call('POST', '/v1/events', {
    name: 'Gala',
    starts_at: new Date().toISOString(),
    ends_at: new Date(Date.now() + 3600_000).toISOString(),
  });
  const tablet = (
    await account.call('POST', `/v1/events/${event.body.id}/keys`, { name: 'tablet', budget: 2 })
  ).body;
  for (const { id } of [booth, tablet]) {
    const path = `/v1/keys/${id}`;
    for (const change of [{ budget: 1000 }, { expires_at: null }]) {
      const refused = await withKey(manager.secret)('PATCH', path, change);
      assert.deepEqual([refused.status, refused.body.error_code], [403, 'SCOPE_MISSING']);
    }
    assert.equal((await withKey(manager.secret)('PATCH', path, { name: 'renamed' })).status, 200);
    assert.equal((await withKey(both.secret)('PATCH', path, { budget: 3 })).body.budget, 3);
  }
});

test('a key with a budget or an expiry revokes no key but itself', async () => {
  const account = await server.account();
  const make = async (fields: object) =>
    (await account.call('POST', '/v1/keys', { name: 'key', ...fields })).body;
  const other = await make({ scopes: ['run'] });
  for (const limit of [{ budget: 2 }, { expires_at: new Date(Date.now() + 3600_000).toISOString() }]) {
    const limited = await make(limit);
    const call = withKey(limited.secret);
    const refused = await call('DELETE', `/v1/keys/${other.id}`);
    assert.deepEqual([refused.status, refused.body.error_code], [403, 'KEY_LIMITED']);
    assert.equal((await withKey(other.secret)('GET', '/v1/users/me')).status, 200);
    assert.equal((await call('DELETE', `/v1/keys/${limited.id}`)).status, 204);
    assert.equal((await call('GET', '/v1/users/me')).status, 401);
  }
});

test('a key expires when it was said to, and its expiry can be moved', async () => {
  const account = await server.account();
  const soon = new Date(Date.now() + 400).toISOString();
  const { id, secret, expires_at } = (
    await account.call('POST', '/v1/keys', { name: 'tonight', expires_at: soon })
  ).body;
  assert.equal(expires_at, soon);
  const call = withKey(secret);
  await until(async () => (await call('GET', '/v1/users/me')).status === 401, 5000);
  const later = new Date(Date.now() + 3600_000).toISOString();
  const moved = await account.call('PATCH', `/v1/keys/${id}`, { expires_at: later });
  assert.deepEqual([moved.body.expires_at, moved.body.state], [later, 'valid']);
  assert.equal((await call('GET', '/v1/users/me')).status, 200);
  const past = { name: 'yesterday', expires_at: '2020-01-01T00:00:00Z' };
  assert.equal((await account.call('POST', '/v1/keys', past)).status, 422);
});

test('what does not fit is refused by its field', async () => {
  const account = await server.account();
  for (const [body, field] of [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(101) }, 'name'],
    [{ name: 'x', scopes: [] }, 'scopes'],
    [{ name: 'x', scopes: ['all'] }, 'scopes.0'],
    [{ name: 'x', budget: -1 }, 'budget'],
    [{ name: 'x', expires_at: 'tomorrow' }, 'expires_at'],
  ] as const) {
    const answer = await account.call('POST', '/v1/keys', body);
    assert.deepEqual([answer.status, answer.body.fields?.[0]?.path], [422, field], JSON.stringify(body));
  }
});

test('the same Idempotency-Key makes no second key', async () => {
  const account = await server.account();
  const make = () => account.call('POST', '/v1/keys', { name: 'once' }, { 'idempotency-key': 'k1' });
  const answers = await Promise.all(Array.from({ length: 5 }, make));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, 409, 409, 409, 409]);
  const { keys } = (await account.call('GET', '/v1/keys')).body;
  assert.equal(keys.filter(({ name }: { name: string }) => name === 'once').length, 1);
});

test('the last use of a key is known to the minute', async () => {
  const account = await server.account();
  const { id, secret } = (await account.call('POST', '/v1/keys', { name: 'used' })).body;
  const lastUsed = async () => {
    const { keys } = (await account.call('GET', '/v1/keys')).body;
    return keys.find((key: { id: string }) => key.id === id).last_used;
  };
  assert.equal(await lastUsed(), null);
  await withKey(secret)('GET', '/v1/jobs');
  const first = await until(async () => (await lastUsed()) ?? undefined);
  assert.ok(Math.abs(Date.parse(first) - Date.now()) < 60_000);
  await withKey(secret)('GET', '/v1/jobs');
  assert.equal(await lastUsed(), first);
});

test('a key spends no more than its budget, however many runs come at once', async () => {
  const account = await server.account();
  const { id, secret } = (await account.call('POST', '/v1/keys', { name: 'booth', budget: 3 * price })).body;
  const call = withKey(secret);
  const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', run, photoRun)));
  assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 200, 200, ...Array(5).fill(402)]);
  const refused = answers.find((answer) => answer.status === 402)!;
  assert.equal(refused.body.error_code, 'INSUFFICIENT_CREDITS');
  assert.match(refused.body.error, /budget of this key/);
  const key = async () => {
    const { keys } = (await account.call('GET', '/v1/keys')).body;
    return keys.find((entry: { id: string }) => entry.id === id);
  };
  assert.deepEqual([(await key()).spent, await account.credits()], [3 * price, 1000 - 3 * price]);

  await account.call('PATCH', `/v1/keys/${id}`, { budget: 4 * price });
  assert.equal((await call('POST', run, photoRun)).status, 200);
  assert.equal((await call('POST', run, photoRun)).status, 402);
  assert.equal((await account.call('POST', run, photoRun)).status, 200);
});

test('what a run costs comes back to the budget when it fails', async (t) => {
  const held = await startTestServer();
  t.after(() => held.stop());
  const account = await held.account();
  held.engine.before = untilAborted;
  const { id, secret } = (await account.call('POST', '/v1/keys', { name: 'booth', budget: price })).body;
  const booth = accountOn(held.url, { ...account, api_key: secret });
  const job = await booth.call('POST', run, photoRun);
  assert.equal(job.status, 200);
  await booth.call('POST', `/v1/jobs/${job.body.id}/cancel`);
  const ended = await booth.call('POST', status + job.body.id, undefined, { prefer: 'wait=10' });
  assert.equal(ended.body.status, 'FAILED');
  const { keys } = (await account.call('GET', '/v1/keys')).body;
  assert.equal(keys.find((key: { id: string }) => key.id === id).spent, 0);
  assert.equal(await account.credits(), 1000);
});
