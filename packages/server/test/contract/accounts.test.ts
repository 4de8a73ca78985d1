import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { guiseInProcess, guiseProcess } from '../support/command-line.ts';
import { request, startTestServer, type TestServer, temporaryConfig, until } from '../support/harness.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());

/** The command line, on the data folder of the running server. */
const guise = (...args: string[]) => guiseInProcess(server.env, ...args);
const json = async (...args: string[]) => JSON.parse((await guise(...args, '--json')).stdout);

test('an account made on the command line works at once, by key, token and password', async () => {
  const words = ['--email', 'Ann@Example.com', '--credits', '100', '--password', 'long enough', '--json'];
  const { stdout } = await guiseProcess(server.env, 'accounts', 'create', ...words);
  const made = JSON.parse(stdout);
  assert.deepEqual(Object.keys(made), ['email', 'api_key', 'access_token']);
  assert.equal(made.email, 'ann@example.com');
  assert.match(made.api_key, /^gk_[0-9A-Za-z]{36,}$/);
  assert.match(made.access_token, /^gt_[0-9A-Za-z]{36,}$/);
  const credits = (headers: Record<string, string>) =>
    request(server.url, 'GET', '/v1/users/me/credits', undefined, headers);
  assert.equal((await credits({ 'x-api-key': made.api_key })).body.balance, 100);

  const form = (password: string) =>
    request(
      server.url,
      'POST',
      '/token',
      `username=ann%40example.com&password=${encodeURIComponent(password)}`,
      {
        'content-type': 'application/x-www-form-urlencoded',
      },
    );
  const token = await form('long enough');
  assert.equal(token.status, 200);
  assert.equal(token.body.token_type, 'bearer');
  assert.ok(token.body.expires_in > 0);
  assert.equal((await credits({ authorization: `Bearer ${token.body.access_token}` })).body.balance, 100);
  assert.equal((await form('wrong')).status, 401);
});

test('keys are made, listed by their last four characters, and revoked with effect within a second', async () => {
  await guise('accounts', 'create', '--email', 'bob@example.com');
  const key = await json('keys', 'create', '--email', 'bob@example.com', '--name', 'booth 1');
  const call = () => request(server.url, 'GET', '/v1/jobs', undefined, { 'x-api-key': key.api_key });
  assert.equal((await call()).status, 200);
  const listed = await json('keys', 'list', '--email', 'bob@example.com');
  const row = listed.find((entry: { id: string }) => entry.id === key.id);
  assert.equal(row.last4, key.api_key.slice(-4));
  assert.ok(!JSON.stringify(listed).includes(key.api_key));
  await guise('keys', 'revoke', '--id', key.id);
  await until(async () => (await call()).status === 401, 1500);
});

test('a key is made on the command line with scopes and a budget', async () => {
  await guise('accounts', 'create', '--email', 'dan@example.com', '--credits', '10');
  const made = ['keys', 'create', '--email', 'dan@example.com'];
  const { id, api_key } = await json(...made, '--scopes', 'run, read', '--budget', '5');
  const headers = { 'x-api-key': api_key };
  const { keys } = (await request(server.url, 'GET', '/v1/keys', undefined, headers)).body;
  const { scopes, budget } = keys.find((key: { id: string }) => key.id === id);
  assert.deepEqual([scopes, budget], [['run', 'read'], 5]);
  assert.equal((await request(server.url, 'POST', '/api/alias/', {}, headers)).status, 403);
  await assert.rejects(guise(...made, '--scopes', 'all'), /--scopes must be one of/);
});

test('an operator is made and signed in to on the command line', async () => {
  await guise('accounts', 'create', '--email', 'ops@example.com', '--operator');
  const { url, expires_at } = await json('accounts', 'link', 'ops@example.com');
  assert.ok(Date.parse(expires_at) > Date.now());
  const [page, token] = url.split('#');
  assert.ok(page.endsWith('/studio/sign-in'), page);
  const { status, body } = await request(server.url, 'POST', '/v1/sessions', { link: token });
  assert.deepEqual([status, body.account.role], [201, 'operator']);
  await assert.rejects(guise('accounts', 'link', 'no@example.com'), /no account/);
});

test('credits are granted and accounts listed', async () => {
  await guise('accounts', 'create', '--email', 'cid@example.com');
  assert.deepEqual(await json('credits', 'grant', '--email', 'cid@example.com', '--amount', '25'), {
    email: 'cid@example.com',
    balance: 25,
  });
  const accounts = await json('accounts', 'list');
  assert.equal(accounts.find((entry: { email: string }) => entry.email === 'cid@example.com').credits, 25);
});

test('the doctor finds nothing wrong here', async () => {
  const findings = JSON.parse((await guiseProcess(server.env, 'doctor', '--json')).stdout);
  assert.deepEqual(
    findings.filter((finding: { ok: boolean }) => !finding.ok),
    [],
  );
  const { says } = findings.find(({ what }: { what: string }) => what === 'open files');
  assert.match(says, /^\d+ at once, of which \d+ connections$/);
});

for (const [args, says] of [
  [['accounts', 'create'], '--email is needed'],
  [['accounts', 'create', '--email', 'nobody'], 'not an email'],
  [['credits', 'grant', '--email', 'cid@example.com', '--amount', '-5'], 'whole number'],
  [['credits', 'grant', '--email', 'cid@example.com', '--amount', '1.5'], 'whole number'],
  [['keys', 'revoke', '--id', 'x'], 'no valid key'],
  [['keys', 'create', '--email', 'no@example.com'], 'no account'],
] as const) {
  test(`guise ${args.join(' ')} fails with a clear sentence`, async () => {
    const run = says === 'no valid key' ? guiseProcess : guiseInProcess;
    await assert.rejects(run(server.env, ...args), (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 1);
      assert.ok(error.stderr.includes(says), error.stderr);
      assert.ok(!error.stderr.includes('    at '), 'no stack');
      return true;
    });
  });
}

test('a wrong setting stops the start with its name and the remedy', async () => {
  await assert.rejects(
    guiseProcess({ ...server.env, PORT: 'eighty' }, 'start'),
    /PORT=eighty cannot be used/,
  );
});

test('the first start makes a demo account with a key and a link that work, and the second does not', async (t) => {
  const { startApp } = await import('../../src/app/all-in-one.ts');
  const { testEngine } = await import('../support/test-engine.ts');
  const config = temporaryConfig();
  t.after(() => rmSync(config.dataDir, { recursive: true, force: true }));
  const first = await startApp(config, () => [testEngine()]);
  const as = async (path: string) =>
    (await request(first.url, 'GET', path, undefined, { 'x-api-key': first.demoKey! })).body;
  const [, token] = first.signInLink!.split('#');
  const signedIn = await request(first.url, 'POST', '/v1/sessions', { link: token });
  const again = await request(first.url, 'POST', '/v1/sessions', { link: token });
  const credits = await as('/v1/users/me/credits');
  const filters = await as('/v1/users/me/my-custom-filters');
  const aliases = await as('/api/alias/');
  await first.stop();
  const second = await startApp(config, () => [testEngine()]);
  await second.stop();
  assert.equal(credits.balance, 1000);
  assert.deepEqual(filters.map((entry: { filter_type: string }) => entry.filter_type).sort(), [
    'face_swap',
    'face_swap',
    'multi_swap',
    'multi_swap',
  ]);
  assert.equal(aliases.length, 1);
  assert.equal(second.demoKey, undefined);
  assert.equal(first.signInLink, `${first.url}/studio/sign-in#${token}`);
  assert.deepEqual([signedIn.status, again.status], [201, 401]);
  assert.equal(signedIn.body.account.role, 'operator');
  assert.equal(second.signInLink, undefined);
});
