import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { createVersionCheck } from '../../src/app/installation/newest-version.ts';
import { readConfig } from '../../src/config.ts';
import { putSetting } from '../../src/store/settings.ts';
import { caseOf } from '../support/contract-cases.ts';
import { type Answer, request, startTestServer, type TestServer, until } from '../support/harness.ts';
import { door } from '../support/test-engine.ts';

const env = { GUISE_SECRET: 'a-secret-that-nobody-may-be-shown', GUISE_MAX_QUEUED: '77' };
let server: TestServer;
let call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
before(async () => {
  server = await startTestServer({ described: readConfig(env).described });
  const { id } = await createAccount(server.db, { email: 'op@example.com', credits: 0, role: 'operator' });
  const key = { kind: 'key', name: 'ops', scopes: ['operator'] } as const;
  const { secret } = await createCredential(server.db, id, key);
  call = (method, path, body, headers = {}) =>
    request(server.url, method, path, body, { 'x-api-key': secret, ...headers });
});
after(() => server.stop());

test('an operator makes an account that works at once, by key, token, password and link', async () => {
  const email = 'New@Example.com';
  const made = await call('POST', '/v1/accounts', { email, password: 'long enough', credits: 30 });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('cache-control'), 'no-store');
  const { api_key, access_token, sign_in_url, ...account } = made.body;
  assert.deepEqual([account.email, account.role, account.balance], ['new@example.com', 'account', 30]);
  for (const secret of [api_key, access_token]) {
    const headers = { authorization: `Bearer ${secret}` };
    assert.equal((await request(server.url, 'GET', '/v1/users/me', undefined, headers)).body.balance, 30);
  }
  const [page, link] = sign_in_url.split('#');
  assert.equal(page, `${server.url}/studio/sign-in`);
  for (const body of [{ link }, { email, password: 'long enough' }])
    assert.equal((await request(server.url, 'POST', '/v1/sessions', body)).status, 201);

  const again = await call('POST', '/v1/accounts', { email });
  assert.deepEqual([again.status, again.body.error_code], [409, 'ACCOUNT_EXISTS']);
  assert.equal((await call('POST', '/v1/accounts', { email: 'nobody' })).body.fields[0].path, 'email');
});

test('accounts come in pages, newest first, without secrets', async () => {
  for (let n = 0; n < 3; n++) await server.account();
  const all = (await call('GET', '/v1/accounts')).body.accounts;
  const page = (await call('GET', '/v1/accounts?limit=2')).body;
  const rest = (await call('GET', `/v1/accounts?cursor=${page.next_cursor}`)).body;
  assert.deepEqual([...page.accounts, ...rest.accounts], all);
  assert.deepEqual(Object.keys(all[0]), ['id', 'email', 'role', 'balance', 'created_at']);
});

test('credits are given once for an Idempotency-Key', async () => {
  const account = await server.account(5);
  const give = (amount: number, headers = {}) =>
    call('POST', `/v1/accounts/${account.id}/credits`, { amount }, headers);
  const given = await give(10);
  assert.deepEqual([given.status, given.body.balance], [201, 15]);
  const key = { 'idempotency-key': 'tonight' };
  assert.equal((await give(20, key)).body.balance, 35);
  assert.equal((await give(20, key)).body.balance, 35);
  const conflict = await give(21, key);
  assert.deepEqual([conflict.status, conflict.body.error_code], [409, 'IDEMPOTENCY_CONFLICT']);
  assert.equal(await account.credits(), 35);
  assert.equal((await give(0)).status, 422);
  const nobody = await call('POST', '/v1/accounts/nobody/credits', { amount: 1 });
  assert.deepEqual([nobody.status, nobody.body.error_code], [404, 'ACCOUNT_NOT_FOUND']);
});

test('workers and engines are shown with what they make', async () => {
  const { workers } = (await call('GET', '/v1/workers')).body;
  assert.equal(workers.length, 1);
  assert.deepEqual([workers[0].pid, workers[0].draining], [process.pid, false]);
  assert.equal(workers[0].engines[0].name, 'test');
  const { engines } = (await call('GET', '/v1/engines')).body;
  assert.equal(engines.length, 1);
  const { families, ...engine } = engines[0];
  assert.ok(families.includes('face_swap_v6'));
  assert.deepEqual(engine, {
    name: 'test',
    type: 'other',
    healthy: true,
    workers: 1,
    servers: [],
    paused: false,
    removable: false,
    failures: [],
    workflows: [],
    fallback: false,
    urls: [],
  });
});

test('a paused engine ends what it has and gets no new jobs until it is resumed', async () => {
  const account = await server.account();
  const run = async () => {
    const { run: path, body } = caseOf('self_prompt_v2');
    return (await account.call('POST', path, body)).body.id as string;
  };
  const statusOf = async (id: string) =>
    (await account.call('POST', caseOf('self_prompt_v2').status + id)).body.status;
  const { work, open, reached } = door();
  server.engine.before = work;
  const running = await run();
  await reached;
  const paused = await call('PATCH', '/v1/engines/test', { paused: true });
  assert.deepEqual([paused.status, paused.body.engines[0].paused], [200, true]);
  const waiting = await run();
  open();
  server.engine.before = async () => {};
  await until(async () => (await statusOf(running)) === 'COMPLETED');
  // The worker polls its queue meanwhile: what it may not claim stays where it is.
  const made = server.engine.requests.length;
  const other = await call('GET', '/v1/engines');
  assert.deepEqual([other.body.engines[0].paused, await statusOf(waiting)], [true, 'QUEUED']);
  assert.ok((await call('GET', '/ready')).body);
  assert.equal(server.engine.requests.length, made);
  await call('PATCH', '/v1/engines/test', { paused: false });
  await until(async () => (await statusOf(waiting)) === 'COMPLETED');
  const nobody = await call('PATCH', '/v1/engines/nobody', { paused: true });
  assert.deepEqual([nobody.status, nobody.body.error_code], [404, 'NOT_FOUND']);
});

test('settings are shown with where they come from, and secrets are not', async () => {
  const answer = await call('GET', '/v1/settings');
  const { settings } = answer.body;
  const find = (name: string) => settings.find((setting: { name: string }) => setting.name === name);
  const { description, ...queued } = find('GUISE_MAX_QUEUED');
  assert.match(description, /Jobs that may wait/);
  assert.deepEqual(queued, {
    name: 'GUISE_MAX_QUEUED',
    value: '77',
    default: '10000',
    source: 'environment',
    changeable: false,
    secret: false,
    choices: null,
    pending: false,
    stored: null,
  });
  assert.deepEqual([find('GUISE_SECRET').value, find('GUISE_SECRET').source], [null, 'environment']);
  assert.deepEqual([find('PORT').value, find('PORT').source], ['8080', 'default']);
  assert.ok(!JSON.stringify(answer.body).includes(env.GUISE_SECRET));
});

test('a newer version is asked for only where an address is set, once a day', async () => {
  assert.deepEqual((await call('GET', '/v1/version')).body, {
    version: packageJson.version,
    is_asked: false,
    newer: null,
    error: null,
  });
  const answers = [{ version: '999.0.1' }, { tag_name: 'v0.0.1' }, { tag_name: 'nightly' }];
  let asked = 0;
  const releases = createServer((_, response) => response.end(JSON.stringify(answers[asked++])));
  await new Promise<void>((resolve) => releases.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(releases.address() as AddressInfo).port}/latest`;
  const newer = createVersionCheck(url);
  assert.deepEqual([(await newer()).newer, (await newer()).newer, asked], ['999.0.1', '999.0.1', 1]);
  const older = await createVersionCheck(url)();
  assert.deepEqual([older.newer, older.error], [null, null]);
  assert.match((await createVersionCheck(url)()).error!, /names no version such as 1\.2\.3/);
  await new Promise((resolve) => releases.close(resolve));
  assert.match((await createVersionCheck(url)()).error!, /gave no version/);
});

test('packs are listed and removed, and nothing beside them is', async () => {
  mkdirSync(join(server.config.dataDir, 'packs', 'beach-pack'), { recursive: true });
  const names = async () =>
    (await call('GET', '/v1/packs')).body.packs.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(), ['beach-pack']);
  for (const name of ['nothing', '..', '%2e%2e', '..%2f..']) {
    const { status } = await call('DELETE', `/v1/packs/${name}`);
    assert.ok([404, 405].includes(status), `${name}: ${status}`);
  }
  assert.equal((await call('DELETE', '/v1/packs/beach-pack')).status, 204);
  assert.deepEqual(await names(), []);
});

test('models are shown with their licences', async () => {
  const { models } = (await call('GET', '/v1/models')).body;
  assert.ok(models.length > 3);
  for (const model of models) assert.ok(model.name && model.use && model.licence, JSON.stringify(model));
});

test('the doctor says what it found, once for all who ask at the same time', async () => {
  const answers = await Promise.all([call('GET', '/v1/doctor'), call('GET', '/v1/doctor')]);
  const [first, second] = answers.map(({ body }) => body);
  assert.deepEqual(first, second);
  assert.equal(first.ok, true, JSON.stringify(first));
  assert.deepEqual(Object.keys(first.findings[0]), ['what', 'ok', 'says']);
});

test('links for guests lead to the address that an operator has set, which is tried first', async (t) => {
  const path = '/v1/guest_address';
  const before = (await call('GET', path)).body;
  assert.deepEqual([before.url, before.source, before.is_local], [server.url, 'request', true]);
  for (const suggestion of before.suggestions) assert.match(suggestion, /^http:\/\/[\d.]+:\d+$/);

  const real = globalThis.fetch;
  t.mock.method(globalThis, 'fetch', (url: string | URL, init?: RequestInit) =>
    real(String(url).replace('http://booth.lan:8080', server.url), init),
  );
  const refused = async (url: string) => {
    const { status, body } = await call('PUT', path, { url });
    return [status, body.error_code, body.fields?.[0].path];
  };
  assert.deepEqual(await refused('http://nobody.invalid'), [422, 'ADDRESS_NOT_REACHED', undefined]);
  for (const url of ['ftp://booth.lan', 'booth.lan', 'http://localhost:8080', 'http://booth.lan:8080/studio'])
    assert.deepEqual(await refused(url), [422, 'VALIDATION_ERROR', 'url'], url);

  const set = await call('PUT', path, { url: 'http://booth.lan:8080/' });
  assert.equal(set.status, 200, JSON.stringify(set.body));
  assert.deepEqual(
    [set.body.url, set.body.source, set.body.is_local],
    ['http://booth.lan:8080', 'stored', false],
  );
  const made = await call('POST', '/v1/accounts', { email: 'guests@example.com' });
  assert.ok(made.body.sign_in_url.startsWith('http://booth.lan:8080/studio/sign-in#'));
  const account = await server.account();
  const shown = (await account.call('GET', path)).body;
  assert.deepEqual([shown.url, shown.suggestions], ['http://booth.lan:8080', []]);
  assert.equal((await account.call('PUT', path, { url: null })).status, 403);
  // What programs read stays where they asked.
  assert.ok((await account.call('GET', '/v6/filters')).body[0].preview_url.startsWith(server.url));

  const unchecked = await call('PUT', path, { url: 'http://nobody.invalid', check: false });
  assert.equal(unchecked.body.url, 'http://nobody.invalid');
  assert.equal((await call('PUT', path, { url: null })).body.source, 'request');
});

test('GUISE_PUBLIC_URL wins over the address that was set', async (t) => {
  const published = await startTestServer({ publicUrl: 'https://booth.example' });
  t.after(() => published.stop());
  await published.db.run(putSetting, { name: 'guest_address', value: 'http://booth.lan' });
  const account = await published.account();
  const { body } = await account.call('GET', '/v1/guest_address');
  assert.deepEqual([body.url, body.source], ['https://booth.example', 'environment']);
});

test('a key of another account sees none of this', async () => {
  const account = await server.account();
  const { status, body } = await account.call('GET', '/v1/accounts');
  assert.deepEqual([status, body.error_code], [403, 'SCOPE_MISSING']);
});
