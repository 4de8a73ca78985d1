import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultHttpLimits } from '../../src/http/server.ts';
import { familyCases } from '../support/contract-cases.ts';
import { startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';
import { door, tinyPng, untilAborted } from '../support/test-engine.ts';

const waiting = ['face_swap_v6', 'face_swap_v5', 'multi_swap_v5', 'multi_swap_self_prompt_v5'];
/** Longer than any answer that is not waited for takes, and longer than the limits of this server. */
const aWhileMs = 1500;

let server: TestServer;
let account: TestAccount;
before(async () => {
  const limits = { ...defaultHttpLimits, headersMs: 600, requestMs: 1000, connectionCheckIntervalMs: 50 };
  server = await startTestServer({ statusWaitMs: 20_000, concurrency: 16 }, undefined, { limits });
  account = await server.account(100_000);
});
after(() => server.stop());

const submit = async ({ run, body }: (typeof familyCases)[number]) =>
  (await account.call('POST', run, body)).body.id as string;

test('clients of face swap v6, v5 and multi swap v5 that ask once get their pictures, past every time limit of the server', async () => {
  const gate = door();
  server.engine.before = gate.work;
  const answers = familyCases
    .filter(({ family }) => waiting.includes(family))
    .map(async (entry) => account.call('POST', entry.status + (await submit(entry))));
  assert.equal(answers.length, 4);
  assert.equal(await Promise.race([...answers, sleep(aWhileMs, 'waits')]), 'waits');
  gate.open();
  for (const { status, body } of await Promise.all(answers)) {
    assert.deepEqual([status, body.status], [200, 'COMPLETED']);
    assert.deepEqual(body.output, { images: [tinyPng.toString('base64')] });
  }
});

describe('status calls', () => {
  before(() => {
    server.engine.before = untilAborted;
  });

  for (const entry of familyCases.filter(({ family }) => !waiting.includes(family))) {
    test(`of ${entry.family} are answered at once`, async () => {
      const id = await submit(entry);
      const began = performance.now();
      const { body } = await account.call('POST', entry.status + id);
      assert.ok([entry.queued, entry.running].includes(body.status), body.status);
      assert.ok(performance.now() - began < 10_000);
      await account.call('POST', `/v1/jobs/${id}/cancel`);
    });
  }

  const [v6] = familyCases;
  test('with Prefer: wait=0 are answered at once, and with wait=1 after a second', async () => {
    const id = await submit(v6!);
    const began = performance.now();
    const ask = async (prefer: string) =>
      (await account.call('POST', v6!.status + id, undefined, { prefer })).body.status;
    assert.equal(await ask('wait=0'), 'IN_QUEUE');
    assert.ok(performance.now() - began < 10_000);
    assert.equal(await ask('respond-async, wait=1'), 'IN_QUEUE');
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds >= 0.99 && seconds < 15, `${seconds} s`);
    await account.call('POST', `/v1/jobs/${id}/cancel`);
  });

  test('that wait for a job which is cancelled or erased are answered at once', async () => {
    const endings: [method: string, path: string, answers: number[]][] = [
      ['POST', '/cancel', [200]],
      ['DELETE', '', [200, 404]],
    ];
    for (const [method, path, answers] of endings) {
      const id = await submit(v6!);
      const answer = account.call('POST', v6!.status + id);
      assert.equal(await Promise.race([answer, sleep(100, 'waits')]), 'waits');
      await account.call(method, `/v1/jobs/${id}${path}`);
      assert.ok(answers.includes((await answer).status));
    }
  });
});

test('a caller that hangs up waits for a shorter time from then on, and others wait as before', async () => {
  server.engine.before = untilAborted;
  const [v6] = familyCases;
  const guest = await server.account();
  const { id } = (await guest.call('POST', v6!.run, v6!.body)).body;
  const ask = (timeLimitMs: number, headers: Record<string, string> = { 'x-api-key': guest.api_key }) =>
    fetch(server.url + v6!.status + id, {
      method: 'POST',
      headers,
      signal: AbortSignal.timeout(timeLimitMs),
    }).then(
      async (answer) => ((await answer.json()) as { status: string }).status,
      ({ name }: Error) => name,
    );
  assert.equal(await ask(aWhileMs), 'TimeoutError');
  // 1.2 s, which is before the server's own 20 s on the busiest machine.
  assert.equal(await until(async () => (await ask(10_000)) === 'IN_QUEUE'), true);
  const others = { authorization: `Bearer ${guest.access_token}` };
  assert.equal(await ask(aWhileMs, others), 'TimeoutError');
  const began = performance.now();
  assert.equal(await ask(15_000, { 'x-api-key': guest.api_key, prefer: 'wait=2' }), 'IN_QUEUE');
  assert.ok(performance.now() - began >= 1990, 'a caller that says how long it waits is believed');
  await guest.call('POST', `/v1/jobs/${id}/cancel`);
});

test('callers who hang up leave no timer behind', async () => {
  // With the usual limits: on busy cores fifty connections at once take longer than those of the server above allow.
  const usual = await startTestServer({ statusWaitMs: 20_000 });
  try {
    usual.engine.before = untilAborted;
    const guest = await usual.account();
    const [{ run, status, body }] = familyCases as [(typeof familyCases)[number]];
    const { id } = (await guest.call('POST', run, body)).body;
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const hangUp = new AbortController();
    const calls = Array.from({ length: 50 }, () =>
      fetch(usual.url + status + id, {
        method: 'POST',
        headers: { 'x-api-key': guest.api_key },
        signal: hangUp.signal,
      }).then(
        (answer) => answer.status,
        () => 'gone',
      ),
    );
    await until(async () => timers() >= before + 50);
    hangUp.abort();
    assert.deepEqual(new Set(await Promise.all(calls)), new Set(['gone']));
    await until(async () => timers() < before + 25);
    await guest.call('POST', `/v1/jobs/${id}/cancel`);
  } finally {
    await usual.stop();
  }
});

test('a server that is set to wait less answers with the current state after that time', async () => {
  const brief = await startTestServer({ statusWaitMs: 200 });
  try {
    brief.engine.before = untilAborted;
    const guest = await brief.account();
    const [{ run, status, body }] = familyCases as [(typeof familyCases)[number]];
    const { id } = (await guest.call('POST', run, body)).body;
    const began = performance.now();
    assert.equal((await guest.call('POST', status + id)).body.status, 'IN_QUEUE');
    const ms = performance.now() - began;
    assert.ok(ms >= 195 && ms < 10_000, `${ms} ms`);
    await guest.call('POST', `/v1/jobs/${id}/cancel`);
  } finally {
    await brief.stop();
  }
});
