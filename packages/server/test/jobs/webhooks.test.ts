import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { pino } from 'pino';
import { openStore } from '../../src/app/storage.ts';
import { startWebhookDelivery } from '../../src/jobs/webhook-outbox.ts';
import { dueDeliveries, insertDelivery } from '../../src/store/delivery-records.ts';
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
  assert.equal(headers['webhook-id'], id);
  const key = Buffer.from((await secret()).replace('whsec_', ''), 'base64');
  const signed = `${id}.${headers['webhook-timestamp']}.${text}`;
  assert.equal(
    headers['webhook-signature'],
    `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
  );
  assert.equal((await account.call('POST', news.data.status_path)).body.status, 'COMPLETED');
  // What is delivered leaves the outbox: nothing is left to be told again.
  await until(async () => {
    const due = await server.db.all(dueDeliveries, { now: Number.MAX_SAFE_INTEGER, limit: 10 });
    return due.length === 0;
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
  assert.equal(data.error, 'Something went wrong on the server while making this.');
  server.engine.before = async () => {};
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

test('what is not acknowledged is tried again with growing waits, then given up; 410 ends it', async () => {
  const db = await openStore(temporaryConfig());
  const row = { account_id: account.id, url: 'http://example.com/', body: '{}', attempts: 0, due_at: 1 };
  const answersOf: Record<string, number> = { refused: 500, gone: 410, taken: 200 };
  for (const id of Object.keys(answersOf)) await db.run(insertDelivery, { ...row, job_id: id });
  await db.run(insertDelivery, { ...row, job_id: 'later', attempts: 3 });
  await db.run(insertDelivery, { ...row, job_id: 'unreachable', attempts: 7 });
  const webhooks = startWebhookDelivery({
    db,
    secret: 'x',
    log: pino({ level: 'silent' }),
    post: async (_url, headers) => answersOf[headers['webhook-id']!] ?? Promise.reject(new Error('no route')),
  });
  try {
    const rows = () => db.all(dueDeliveries, { now: Number.MAX_SAFE_INTEGER, limit: 10 });
    const left = await until(async () => {
      const found = await rows();
      return found.length === 2 && found;
    });
    assert.deepEqual(
      left.map(({ job_id, attempts }) => [job_id, attempts]),
      [
        ['refused', 1],
        ['later', 4],
      ],
    );
    const [first, fourth] = left.map(({ due_at }) => due_at - Date.now()) as [number, number];
    assert.ok(first > 0 && first <= 10_000, `${first} ms`);
    assert.ok(fourth > 29 * 60_000 && fourth <= 30 * 60_000, `${fourth} ms`);
  } finally {
    await webhooks.stop();
    await db.close();
  }
});
