import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cannotMake } from '@guise/server/engines/engine.ts';
import {
  photo,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../../../packages/server/test/support/harness.ts';
import { testEngine, untilAborted } from '../../../packages/server/test/support/test-engine.ts';

const engine = testEngine();
let server: TestServer;
before(async () => {
  const settings = { accountFailedSeconds: 1, concurrency: 1, demo: false };
  server = await startTestServer(settings, () => [Object.assign(engine, { runsHere: true })]);
});
after(() => server.stop());

const failsAfter = (ms: number) => async () => {
  await sleep(ms);
  throw cannotMake('No face was found in the photo.');
};

const submit = (account: TestAccount) =>
  account.call('POST', '/v6/run/face_swap', { base64: photo, gender: 1, filter_id: 1 });
const runToEnd = async (account: TestAccount) => {
  const { id } = (await submit(account)).body;
  const answer = await account.call('POST', `/v6/status/${id}`, undefined, { prefer: 'wait=15' });
  return { id, status: answer.body.status };
};

test('an account whose jobs fail late is refused for a while, and others are not', async () => {
  const [failing, other] = [await server.account(100), await server.account(100)];
  engine.before = failsAfter(600);
  assert.equal((await runToEnd(failing)).status, 'FAILED');
  const last = await runToEnd(failing);
  assert.equal(last.status, 'FAILED');
  // Erasing the evidence does not help.
  assert.equal((await failing.call('DELETE', `/v1/jobs/${last.id}`)).status, 204);

  const refused = await submit(failing);
  assert.deepEqual([refused.status, refused.body.error_code], [429, 'RATE_LIMITED']);
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 500 && seconds <= 600, `${seconds} s`);
  assert.equal(
    refused.body.error,
    `Jobs of this account that failed took 1 s of the last 10 minutes. Retry after ${seconds} s.`,
  );
  assert.equal(await failing.credits(), 100);

  engine.before = async () => {};
  assert.equal((await runToEnd(other)).status, 'COMPLETED');
});

test('work that is cancelled late counts too, work that is completed does not', async () => {
  const account = await server.account(100);
  engine.before = () => sleep(1200);
  assert.equal((await runToEnd(account)).status, 'COMPLETED');
  engine.before = untilAborted;
  const started = engine.requests.length;
  const { status, body } = await submit(account);
  assert.equal(status, 200);
  await until(async () => engine.requests.length > started);
  await sleep(1100);
  assert.equal((await account.call('POST', `/v1/jobs/${body.id}/cancel`)).status, 200);
  await until(async () => (await submit(account)).status === 429);
});
