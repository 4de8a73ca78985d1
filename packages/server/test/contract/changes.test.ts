import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { caseOf } from '../support/contract-cases.ts';
import { type Event, openEvents } from '../support/event-stream.ts';
import { startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';
import { door } from '../support/test-engine.ts';

let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer();
});
after(() => server.stop());
beforeEach(async () => {
  server.engine.before = async () => {};
  account = await server.account();
});

const { run, body } = caseOf('multi_swap_v5');
const submit = async (by = account) => (await by.call('POST', run, body)).body.id as string;
const follow = (headers: Record<string, string> = {}) =>
  openEvents(`${server.url}/v1/changes`, { 'x-api-key': account.api_key, ...headers });
const isJob = (id: string, status: string) => (event: Event) =>
  event.type === 'job' && event.data.id === id && event.data.status === status;

test('GET /v1/changes tells of a job from its queue to its end, of the balance and of the queue, to its account alone', async () => {
  const gate = door();
  server.engine.before = gate.work;
  const stream = await follow();
  assert.equal((await stream.find(({ type }) => type === 'balance')).data.balance, 1000);
  const stranger = await server.account();
  const foreign = await submit(stranger);
  const id = await submit();
  await stream.find(isJob(id, 'PROCESSING'));
  await stream.find(({ type, data }) => type === 'balance' && data.balance === 997);
  const queue = await stream.find(({ type, data }) => type === 'queue' && data.running > 0);
  assert.deepEqual(Object.keys(queue.data), ['waiting', 'running', 'wait_ms']);
  gate.open();
  const end = await stream.find(isJob(id, 'COMPLETED'));
  const listed = (await account.call('GET', '/v1/jobs')).body.jobs[0];
  assert.deepEqual(end.data, listed);
  assert.ok(stream.seen.every(({ type, data }) => type !== 'job' || data.id !== foreign));
  await stream.close();
});

test('a stream that is resumed tells what was made, changed and ended meanwhile', async () => {
  const stream = await follow();
  const { id: lastEventId } = await stream.find(({ type }) => type === 'queue');
  await stream.close();
  const gate = door();
  const done = await submit();
  await account.call('POST', caseOf('multi_swap_v5').status + done, undefined, { prefer: 'wait=20' });
  server.engine.before = gate.work;
  const live = await submit();
  const definition = { kind: 'prompt', prompt: 'on a mountain' };
  const filter = (
    await account.call('POST', '/v1/users/me/my-custom-filters', {
      name: 'Mountain',
      filter_type: 'face_swap',
      definition,
    })
  ).body;
  const alias = (await account.call('POST', '/api/alias/', { ai_filter: filter.id })).body;
  const resumed = await follow({ 'last-event-id': lastEventId });
  await resumed.find(isJob(done, 'COMPLETED'));
  await resumed.find(({ type, data }) => type === 'job' && data.id === live);
  assert.equal((await resumed.find(({ type }) => type === 'filter')).data.name, 'Mountain');
  assert.deepEqual((await resumed.find(({ type }) => type === 'alias')).data, alias);
  gate.open();
  await resumed.find(isJob(live, 'COMPLETED'));
  const ids = resumed.seen.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  await resumed.close();
});

test('nothing is sent twice while nothing changes', async () => {
  const stream = await follow();
  const id = await submit();
  await stream.find(isJob(id, 'COMPLETED'));
  const other = await submit();
  await stream.find(isJob(other, 'COMPLETED'));
  assert.equal(stream.seen.filter(isJob(id, 'COMPLETED')).length, 1);
  await stream.close();
});

test('an account has at most 8 streams, and a closed one makes room', async () => {
  const streams = await Promise.all(Array.from({ length: 8 }, () => follow()));
  const refused = await account.call('GET', '/v1/changes');
  assert.equal(refused.status, 429);
  assert.equal(refused.body.error_code, 'RATE_LIMITED');
  await streams.pop()!.close();
  streams.push(await until(() => follow().catch(() => undefined)));
  await Promise.all(streams.map((stream) => stream.close()));
});

test('a stream ends when its key is revoked', { timeout: 20_000 }, async () => {
  const stream = await follow();
  await stream.find(({ type }) => type === 'balance');
  const { key } = (await account.call('GET', '/v1/users/me')).body;
  assert.equal((await account.call('DELETE', `/v1/keys/${key.id}`)).status, 204);
  await stream.ended;
  assert.equal((await account.call('GET', '/v1/changes')).status, 401);
});
