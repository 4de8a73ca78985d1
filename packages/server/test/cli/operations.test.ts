import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { engineBroke } from '../../src/engines/engine.ts';
import { guiseInProcess, guiseProcess } from '../support/command-line.ts';
import { caseOf } from '../support/contract-cases.ts';
import { startTestServer, type TestAccount, type TestServer, until } from '../support/harness.ts';
import { door } from '../support/test-engine.ts';

const { run, body, status } = caseOf('self_prompt_v2');
let server: TestServer;
let account: TestAccount;
before(async () => {
  server = await startTestServer({ concurrency: 1, allowPrivateUrls: true });
  account = await server.account();
});
after(() => server.stop());

const guise = (...words: string[]) => guiseInProcess(server.env, ...words);
const json = async (...words: string[]) => JSON.parse((await guise(...words, '--json')).stdout);
const submit = async (): Promise<string> => (await account.call('POST', run, body)).body.id;

test('guise workers shows what is alive and what it makes', async () => {
  const [worker, ...others] = await json('workers');
  assert.equal(others.length, 0);
  assert.equal(worker.pid, process.pid);
  assert.equal(worker.engines[0].name, 'test');
  assert.match((await guiseProcess(server.env, 'workers')).stdout, /0\/1 {2}working .* test \(15 families\)/);
});

test('guise jobs list shows jobs by state, and jobs retry takes a held one from its worker', async () => {
  const gate = door();
  server.engine.before = gate.work;
  const held = await submit();
  await gate.reached;
  const waiting = await submit();
  const listed = async (state: string) =>
    (await json('jobs', 'list', '--state', state)).map((job: { id: string }) => job.id);
  assert.deepEqual(await listed('running'), [held]);
  assert.deepEqual(await listed('queued'), [waiting]);
  await assert.rejects(guise('jobs', 'retry', '--id', waiting), /already waits/);
  server.engine.before = async () => {};
  assert.deepEqual(await json('jobs', 'retry', '--id', held), { id: held, state: 'queued' });
  gate.open();
  for (const id of [held, waiting]) {
    const answer = await account.call('POST', `${status}${id}`, undefined, { prefer: 'wait=30' });
    assert.equal(answer.body.status, 'COMPLETED');
  }
  await assert.rejects(guise('jobs', 'retry', '--id', held), /has ended/);
  await assert.rejects(guise('jobs', 'list', '--state', 'sleeping'), /must be one of/);
});

test('guise jobs dead and /metrics show jobs that failed through a fault of the server', async () => {
  assert.deepEqual(await json('jobs', 'dead'), []);
  server.engine.before = async () => {
    throw engineBroke('The engine had a hiccup.');
  };
  const id = await submit();
  const ended = await account.call('POST', `${status}${id}`, undefined, { prefer: 'wait=30' });
  server.engine.before = async () => {};
  assert.equal(ended.body.status, 'FAILED');
  const [letter] = await json('jobs', 'dead');
  assert.equal(letter.job_id, id);
  const { body: figures } = await account.call('GET', '/metrics');
  assert.match(figures, /guise_dead_letters 1/);
  assert.match(figures, /guise_worker_places\{state="all"\} 1/);
  await account.call('DELETE', `/v1/jobs/${id}`);
  assert.deepEqual(await json('jobs', 'dead'), []);
});

test('guise api and guise worker ask for records that can be shared', async () => {
  for (const command of ['api', 'worker'])
    await assert.rejects(guiseProcess(server.env, command), /set DATABASE_URL/);
});

test('guise webhooks list and endpoints show deliveries by state, and endpoints that fail', async () => {
  // Nobody listens there.
  const webhook_url = 'http://127.0.0.1:9999/hook';
  const { id } = (await account.call('POST', run, { ...body, webhook_url })).body;
  const [endpoint] = await until(async () => {
    const found = await json('webhooks', 'endpoints');
    return found.length > 0 && found;
  });
  assert.deepEqual([endpoint.url, endpoint.failures, endpoint.email], [webhook_url, 1, account.email]);
  const [delivery] = await json('webhooks', 'list');
  assert.deepEqual([delivery.id, delivery.email, delivery.attempts], [id, account.email, 1]);
  assert.match((await guise('webhooks', 'list')).stdout, /attempts 1 {2}Could not reach the receiver\.\n$/);
  assert.deepEqual(await json('webhooks', 'list', '--state', 'delivered'), []);
});
