import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { webhookTypes } from '@guise/contract/webhook-types.ts';
import { pino } from 'pino';
import { openStore } from '../../src/app/storage.ts';
import { createChanges } from '../../src/jobs/changes.ts';
import { deliveryWaiting } from '../../src/jobs/webhook-outbox.ts';
import { startWebhookDelivery } from '../../src/jobs/webhooks/delivery-loop.ts';
import { createWebhookSecrets } from '../../src/jobs/webhooks/webhook-secrets.ts';
import { statement } from '../../src/store/statement.ts';
import { findDelivery, insertDelivery } from '../../src/store/webhooks/delivery-records.ts';
import { caseOf } from '../support/contract-cases.ts';
import {
  startTestServer,
  type TestAccount,
  type TestServer,
  temporaryConfig,
  until,
} from '../support/harness.ts';

interface Told {
  headers: IncomingHttpHeaders;
  body: string;
}

let server: TestServer;
let account: TestAccount;
let told: Told[] = [];
let answers: number[] = [];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  told.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
  response.writeHead(answers.shift() ?? 204).end();
});
let hook: string;

before(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/told`;
  server = await startTestServer({ allowPrivateUrls: true });
  account = await server.account();
});
after(async () => {
  await server.stop();
  receiver.close();
});
beforeEach(() => {
  told = [];
  answers = [];
});

const { run, status, body } = caseOf('self_prompt_v2');

async function secret(): Promise<string> {
  return (await account.call('GET', '/v1/users/me/webhook-secret')).body.secret;
}

test('the end of a job is told once, signed with the account’s secret', async () => {
  const { id } = (await account.call('POST', run, { ...body, webhook_url: hook })).body;
  await until(async () => told.length > 0);
  const [{ headers, body: text }] = told as [Told];
  const news = JSON.parse(text);
  assert.equal(news.type, 'job.completed');
  assert.deepEqual(news.data, {
    id,
    family: 'self_prompt_v2',
    status: 'COMPLETED',
    status_path: status + id,
  });
  assert.deepEqual(webhookTypes['job.completed'].data.strict().parse(news.data), news.data);
  assert.equal(headers['webhook-id'], id);
  const key = Buffer.from((await secret()).replace('whsec_', ''), 'base64');
  const signed = `${id}.${headers['webhook-timestamp']}.${text}`;
  assert.equal(
    headers['webhook-signature'],
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  assert.equal((await account.call('POST', news.data.status_path)).body.status, 'COMPLETED');
  // What is delivered has left the outbox: nothing is left to be told again.
  await until(async () => {
    const { body } = await account.call('GET', `/v1/webhook_deliveries/${id}`);
    return body.status === 'delivered' && body.next_attempt_at === null;
  });
  assert.equal(told.length, 1);
});

test('a failed job is told with its sentence', async () => {
  server.engine.before = async () => {
    throw new Error('a thing of the engine');
  };
  const { id } = (await account.call('POST', run, { ...body, webhook_url: hook })).body;
  await until(async () => told.length > 0);
  const { type, data } = JSON.parse(told[0]!.body);
  assert.equal(type, 'job.failed');
  assert.equal(data.id, id);
  assert.deepEqual(webhookTypes['job.failed'].data.strict().parse(data), data);
  assert.equal(data.error, 'Something went wrong on the server while making this.');
  server.engine.before = async () => {};
});

test('docs/webhooks.md has every type of message and when it is sent', () => {
  const page = readFileSync(new URL('../../../../docs/webhooks.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z]+\.[a-z_]+)` \| (.*?) \|/gm)].map(([, type, sent]) => [
    type,
    sent,
  ]);
  assert.deepEqual(
    rows,
    Object.entries(webhookTypes).map(([type, { sent }]) => [type, sent]),
  );
});

test('another account has another secret', async () => {
  const other = await server.account();
  const { secret: theirs } = (await other.call('GET', '/v1/users/me/webhook-secret')).body;
  assert.match(theirs, /^whsec_/);
  assert.notEqual(theirs, await secret());
});

test('a URL that may not be called is refused, uncharged', async () => {
  const strict = await startTestServer();
  try {
    const caller = await strict.account(10);
    for (const url of ['ftp://example.com/', 'http://127.0.0.1:9/', 'http://[::1]/', 'not a url']) {
      const answer = await caller.call('POST', run, { ...body, webhook_url: url });
      assert.deepEqual([answer.status, answer.body.error_code], [422, 'URL_NOT_ALLOWED'], url);
    }
    const mistyped = await caller.call('POST', run, { ...body, webhook_url: 7 });
    assert.equal(mistyped.body.error_code, 'VALIDATION_ERROR');
    assert.equal(await caller.credits(), 10);
  } finally {
    await strict.stop();
  }
});

const setAttempts = statement((db, p: { job_id: string; attempts: number }) =>
  db.updateTable('webhooks').set({ attempts: p.attempts }).where('job_id', '=', p.job_id),
);

test('what is not acknowledged is tried again with growing waits, then given up; 410 ends it', async () => {
  const config = temporaryConfig();
  const db = await openStore(config);
  const row = { account_id: account.id, url: 'http://example.com/', body: '{}' };
  const answersOf: Record<string, number> = { refused: 500, gone: 410, taken: 200 };
  for (const id of Object.keys(answersOf)) await db.run(insertDelivery, { ...row, id, job_id: id });
  for (const [job_id, attempts] of [
    ['later', 3],
    ['unreachable', 7],
  ] as const) {
    await db.run(insertDelivery, { ...row, id: job_id, job_id });
    await db.run(setAttempts, { job_id, attempts });
  }
  const webhooks = startWebhookDelivery({
    db,
    secrets: createWebhookSecrets(db, 'x'),
    limits: config.webhooks,
    changes: createChanges(),
    log: pino({ level: 'silent' }),
    post: async (_url, { headers }) =>
      answersOf[headers['webhook-id']!] ?? Promise.reject(new Error('no route')),
  });
  try {
    const find = async (id: string) => (await db.one(findDelivery, { id, account_id: account.id }))!;
    const tried = (job_id: string) =>
      until(async () => {
        const found = await find(job_id);
        return (found.last_error !== null || found.state === 'delivered') && found;
      });
    const shown = async (job_id: string) => {
      const { state, attempts, last_status_code, last_error } = await tried(job_id);
      return { state, attempts, last_status_code, last_error };
    };
    const refused = 'The receiver answered with status 500.';
    const unreachable = 'Could not reach the receiver.';
    assert.deepEqual(await Promise.all(['refused', 'gone', 'taken', 'later', 'unreachable'].map(shown)), [
      { state: 'pending', attempts: 1, last_status_code: 500, last_error: refused },
      {
        state: 'failed',
        attempts: 1,
        last_status_code: 410,
        last_error: 'The receiver answered with status 410.',
      },
      { state: 'delivered', attempts: 1, last_status_code: 200, last_error: null },
      { state: 'pending', attempts: 4, last_status_code: null, last_error: unreachable },
      { state: 'failed', attempts: 8, last_status_code: null, last_error: unreachable },
    ]);
    const waits = [(await find('refused')).due_at, (await find('later')).due_at].map(
      (due) => due - Date.now(),
    );
    const [first, fourth] = waits as [number, number];
    assert.ok(first > 0 && first <= 10_000, `${first} ms`);
    assert.ok(fourth > 29 * 60_000 && fourth <= 30 * 60_000, `${fourth} ms`);
  } finally {
    await webhooks.stop();
    await db.close();
  }
});

test('a node that is told of a delivery sends it at once, and not when it looks again', async (t) => {
  const config = temporaryConfig();
  const db = await openStore(config);
  const changes = createChanges();
  const posted = Promise.withResolvers<string>();
  // The time at which the node would look again never comes.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const webhooks = startWebhookDelivery({
    ...{ db, changes, secrets: createWebhookSecrets(db, 'x'), limits: config.webhooks },
    log: pino({ level: 'silent' }),
    async post(_url, { headers }) {
      posted.resolve(headers['webhook-id']!);
      return 200;
    },
  });
  try {
    await setImmediate();
    const row = { account_id: account.id, url: 'http://example.com/', body: '{}' };
    await db.run(insertDelivery, { ...row, id: 'ended', job_id: 'ended' });
    changes.publish(deliveryWaiting);
    assert.equal(await posted.promise, 'ended');
  } finally {
    await webhooks.stop();
    await db.close();
  }
});
