import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createEngines } from '../../../src/engines/engines.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { startTestServer, type TestAccount, type TestServer, until } from '../../support/harness.ts';
import { comfyuiPlan, pictureWorkflow } from '../../support/remote.ts';

const path = '/v1/users/me/my-custom-filters';
/** Long enough for a preview that nobody stops to be noticed. */
const slowMs = 2000;

let gpu: ComfyuiServer;
before(async () => {
  gpu = await comfyuiServer();
});
after(() => gpu.stop());

async function serve(
  running_seconds: number | undefined,
  testsPerMinute = 0,
): Promise<{ service: TestServer; account: TestAccount }> {
  const plan = comfyuiPlan([gpu]);
  const routes = plan.routes.map((route) => (running_seconds ? { ...route, running_seconds } : route));
  const service = await startTestServer({ testsPerMinute }, (config) =>
    createEngines(config, { ...plan, routes }),
  );
  return { service, account: await service.account() };
}

const save = (account: TestAccount, definition: object = pictureWorkflow()) =>
  account.call('POST', path, { name: 'Mine', filter_type: 'face_swap', definition });

/** Saves a workflow filter, and waits until its preview runs on the GPU server. */
async function startPreview(account: TestAccount): Promise<string> {
  const before = gpu.begun.length;
  assert.equal((await save(account)).status, 201);
  await until(async () => gpu.begun.length > before, 30_000);
  return gpu.begun.at(-1)!;
}

test('the preview of a workflow filter is cancelled on the GPU server when Guise is told to stop', async () => {
  gpu.behave();
  gpu.faults.slowMs = slowMs;
  const { service, account } = await serve(undefined);
  const prompt = await startPreview(account);
  await service.stop();
  assert.deepEqual([gpu.interrupted.at(-1), gpu.queue()], [prompt, []]);
});

test('the preview of a workflow filter may run as long as a job of its route, and is then stopped', async () => {
  gpu.behave();
  gpu.faults.slowMs = slowMs;
  const { service, account } = await serve(1);
  const prompt = await startPreview(account);
  await until(async () => gpu.interrupted.at(-1) === prompt && gpu.queue().length === 0, 30_000);
  await service.stop();
});

test('saving a workflow filter counts as a test of the account, which its preview is; other filters do not', async () => {
  gpu.behave();
  const { service, account } = await serve(undefined, 2);
  const first = await save(account);
  const change = { definition: pictureWorkflow() };
  assert.deepEqual(
    [first.status, (await account.call('PATCH', `${path}/${first.body.id}`, change)).status],
    [201, 200],
  );
  const third = await save(account);
  assert.deepEqual([third.status, third.body.error_code], [429, 'RATE_LIMITED']);
  assert.ok(Number(third.headers.get('retry-after')) > 0);
  assert.equal((await save(account, { kind: 'scene', scene: 'aurora' })).status, 201);
  assert.equal((await account.call('PATCH', `${path}/${first.body.id}`, { name: 'Ours' })).status, 200);
  await service.stop();
});
