import assert from 'node:assert/strict';
import { scryptSync } from 'node:crypto';
import { test } from 'node:test';
import { createAccount } from '@guise/server/accounts/accounts.ts';
import { statement } from '@guise/server/store/statement.ts';
import {
  type Answer,
  photo,
  request,
  startTestServer,
  type TestServer,
  until,
} from '../../../packages/server/test/support/harness.ts';

/** Logs in from an address behind the proxy that the server trusts. */
function logIn(server: TestServer, username: string, password: string, from = '203.0.113.1') {
  const form = new URLSearchParams({ username, password }).toString();
  return request(server.url, 'POST', '/token', form, {
    'content-type': 'application/x-www-form-urlencoded',
    'x-forwarded-for': from,
  });
}

const setPasswordHash = statement((db, p: { email: string; password_hash: string }) =>
  db.updateTable('accounts').set({ password_hash: p.password_hash }).where('email', '=', p.email),
);

const trustedProxies = ['127.0.0.1'];

test('60 wrong passwords for one account are throttled, and its owner elsewhere still gets in', async () => {
  const server = await startTestServer({ loginFailures: 4, trustedProxies });
  try {
    await createAccount(server.db, { email: 'owner@example.com', password: 'right password', credits: 0 });
    const answers: Answer[] = [];
    for (let i = 0; i < 60; i++) answers.push(await logIn(server, 'owner@example.com', `guess ${i}`));
    assert.equal(answers.filter(({ status }) => status === 401).length, 4);
    const refused = answers.at(-1)!;
    assert.equal(refused.status, 429);
    assert.equal(refused.body.error_code, 'RATE_LIMITED');
    const wait = Number(refused.headers.get('retry-after'));
    assert.ok(wait > 0 && wait <= 900, `Retry-After: ${wait}`);
    assert.equal(refused.headers.get('ratelimit-remaining'), '0');
    assert.equal(refused.headers.get('ratelimit-reset'), String(wait));
    assert.equal((await logIn(server, 'owner@example.com', 'right password')).status, 429);
    assert.equal((await logIn(server, 'owner@example.com', 'right password', '203.0.113.2')).status, 200);
  } finally {
    await server.stop();
  }
});

test('guesses for many names from one address, or for one name from many addresses, are throttled', async () => {
  const server = await startTestServer({ loginFailures: 1, trustedProxies });
  try {
    const statuses = async (count: number, guess: (i: number) => Promise<Answer>) => {
      const seen: number[] = [];
      for (let i = 0; i < count; i++) seen.push((await guess(i)).status);
      return seen;
    };
    const names = await statuses(8, (i) => logIn(server, `name${i}@example.com`, 'guess'));
    assert.deepEqual(names, [401, 401, 401, 401, 401, 401, 429, 429]);
    const hosts = await statuses(12, (i) => logIn(server, 'a@example.com', 'guess', `198.51.100.${i}`));
    assert.deepEqual(hosts, [...Array(10).fill(401), 429, 429]);
    const sameNetwork = await statuses(2, (i) => logIn(server, 'b@example.com', 'guess', `2001:db8::${i}`));
    assert.deepEqual(sameNetwork, [401, 429]);
  } finally {
    await server.stop();
  }
});

test('results are read as fast as ever while 50 connections log in', async () => {
  const server = await startTestServer({ loginFailures: 0 });
  try {
    const account = await server.account();
    const body = { base64: photo, gender: 1, filter_id: 1, quality_mode: 'v6' };
    const { id } = (await account.call('POST', '/v6/run/face_swap', body)).body;
    const readResult = () => account.call('POST', `/v6/status/${id}`);
    await until(async () => (await readResult()).body.status === 'COMPLETED');
    const medianTime = async () => {
      const times: number[] = [];
      for (let i = 0; i < 10; i++) {
        const began = performance.now();
        assert.equal((await readResult()).body.status, 'COMPLETED');
        times.push(performance.now() - began);
      }
      return times.sort((a, b) => a - b)[times.length >> 1]!;
    };
    const before = await medianTime();

    let attacking = true;
    const seen = new Set<number>();
    const attack = Array.from({ length: 50 }, async (_, i) => {
      while (attacking) seen.add((await logIn(server, `name${i}@example.com`, 'guess')).status);
    });
    await until(async () => seen.has(429));
    const meanwhile = await medianTime();
    attacking = false;
    await Promise.all(attack);
    assert.deepEqual([...seen].sort(), [401, 429]);
    // Where logins filled the pool of threads, a result would wait for seconds. Busy cores slow both down.
    const figures = `a result took ${Math.round(meanwhile)} ms, ${Math.round(before)} before`;
    assert.ok(meanwhile < Math.max(1000, 50 * before), figures);
  } finally {
    await server.stop();
  }
});

test('a password is checked with the cost that its hash names', async () => {
  const server = await startTestServer();
  try {
    const { email } = await server.account();
    const salt = Buffer.from('sixteen bytes ..');
    const key = scryptSync('older password', salt, 32, { N: 16_384, r: 8, p: 1 });
    const stored = `scrypt$16384$${salt.toString('base64')}$${key.toString('base64')}`;
    await server.db.run(setPasswordHash, { email, password_hash: stored });
    assert.equal((await logIn(server, email, 'older password')).status, 200);
    assert.equal((await logIn(server, email, 'another password')).status, 401);
  } finally {
    await server.stop();
  }
});
