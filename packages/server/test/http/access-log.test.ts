import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { request, until } from '../support/harness.ts';

const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** `guise start` on a folder of its own, and what it has printed. */
function startProcess(env: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guise-log-'));
  const child = spawn(process.execPath, [main, 'start'], {
    env: { ...process.env, PORT: '0', GUISE_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  return {
    text: () => printed,
    lines: () =>
      printed
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
    url: () => until(async () => /listening on (http:\S+)/.exec(printed)?.[1], 60_000),
    key: () => until(async () => /gk_\w+/.exec(printed)?.[0]),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

test('at level info every request is one line, without secrets, ids of paths, queries and bodies', async (t) => {
  const server = startProcess({ GUISE_LOG_LEVEL: 'info' });
  t.after(() => server.stop());
  const [url, key] = [await server.url(), await server.key()];
  const asked = [
    ['GET', '/v1/jobs?limit=7&cursor=secret-cursor', { 'x-api-key': key }, undefined],
    ['GET', '/api/alias/secret-alias/', { 'api-key': key }, undefined],
    [
      'POST',
      '/v2/run/self-prompt',
      { apikey: `Bearer ${key}` },
      { prompt: '', base64: null, marker: 'secret-body' },
    ],
    ['GET', '/secret-path', { authorization: `Token ${key}` }, undefined],
  ] as const;
  const answers = [];
  for (const [method, path, headers, body] of asked)
    answers.push(await request(url, method, path, body, { ...headers }));
  await request(url, 'GET', '/health');
  const lines = await until(async () => {
    const all = server.lines().filter((line) => line.msg === 'request');
    return all.length === 5 && all;
  });

  const [account_id] = new Set(lines.map((line) => line.account_id).filter(Boolean));
  assert.match(account_id!, /^[0-9a-f-]{36}$/);
  assert.deepEqual(
    lines.map(({ method, route, status, account_id: id }) => [method, route, status, id]),
    [
      ['GET', '/v1/jobs', 200, account_id],
      ['GET', '/api/alias/{id}/', 404, account_id],
      ['POST', '/v2/run/self-prompt', 422, account_id],
      ['GET', 'none', 404, undefined],
      ['GET', '/health', 200, undefined],
    ],
  );
  answers.forEach((answer, i) => {
    assert.equal(lines[i].request_id, answer.headers.get('x-request-id'));
    assert.equal(lines[i].bytes, Number(answer.headers.get('content-length')));
    assert.ok(lines[i].duration_ms >= 0);
    assert.equal(lines[i].level, 30);
  });
  const logged = JSON.stringify(server.lines());
  assert.ok(!logged.includes('secret-'), logged);
  assert.ok(!logged.includes(key), logged);
});

test('at the lowest level, neither passwords, sign-in links, session cookies nor new keys are logged', async (t) => {
  const server = startProcess({ GUISE_LOG_LEVEL: 'trace' });
  t.after(() => server.stop());
  const url = await server.url();
  const link = await until(async () => /sign-in#(gl_\w+)/.exec(server.text())?.[1]);
  await request(url, 'POST', '/v1/sessions', { email: 'demo@guise.local', password: 'secret-password' });
  const signedIn = await request(url, 'POST', '/v1/sessions', { link });
  const [, secret = ''] = /^guise_session=(gs_\w+)/.exec(signedIn.headers.get('set-cookie')!)!;
  const headers = { cookie: `guise_session=${secret}`, 'x-guise-session': '1' };
  const made = await request(url, 'POST', '/v1/keys', { name: 'booth' }, headers);
  await request(url, 'POST', '/v2/run/self-prompt', { prompt: 'on a mountain' }, headers);
  await request(url, 'DELETE', '/v1/sessions/current', undefined, headers);
  await until(async () => server.lines().some((line) => line.route === '/v1/sessions/{id}'));
  const logged = JSON.stringify(server.lines());
  assert.ok(logged.includes('/v1/keys'));
  for (const kept of ['secret-password', link, secret, made.body.secret])
    assert.ok(!logged.includes(kept), `${kept.slice(0, 3)}… is logged`);
});

test('by default the first start prints its welcome and no line for a request', async (t) => {
  const server = startProcess({});
  t.after(() => server.stop());
  const url = await server.url();
  await server.key();
  for (let i = 0; i < 3; i++) await request(url, 'GET', '/health');
  await request(url, 'GET', '/nothing');
  assert.deepEqual(server.lines(), []);
});
