import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createAccount } from '../../../src/accounts/accounts.ts';
import { createEngines } from '../../../src/engines/engines.ts';
import { listDeadLetters } from '../../../src/store/dead-letters.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import {
  accountOn,
  ownPictureProcesses,
  photo,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../../support/harness.ts';
import { comfyuiPlan, pictureWorkflow } from '../../support/remote.ts';

let gpu: ComfyuiServer;
let service: TestServer;
let account: TestAccount;
before(async () => {
  gpu = await comfyuiServer({ steps: 10 });
  service = await startTestServer(
    {},
    (config) => createEngines(config, comfyuiPlan([gpu])),
    ownPictureProcesses,
  );
  account = await service.account();
});
after(async () => {
  await service.stop();
  await gpu.stop();
});

const submit = async () =>
  (await account.call('POST', '/v5/run/multi_swap', { input_image: photo, style_id: 1, outpaint: false }))
    .body.id as string;
const look = async (id: string) => (await account.call('POST', `/v5/status_multi_swap/${id}`)).body;
const atEnd = (id: string) =>
  until(async () => {
    const body = await look(id);
    return body.status === 'COMPLETED' || body.status === 'FAILED' ? body : undefined;
  }, 60_000);

test('the status answer follows the workflow', async () => {
  gpu.faults.slowMs = 250;
  const id = await submit();
  const seen = new Set<number>();
  await until(async () => {
    const { status, progress } = await look(id);
    seen.add(progress);
    return status === 'COMPLETED';
  }, 60_000);
  const steps = [...seen];
  assert.ok(steps.filter((done) => done > 0.05 && done < 0.95).length >= 3, steps.join());
  assert.deepEqual(
    steps,
    steps.toSorted((a, b) => a - b),
  );
});

test('cancelling reaches the server, and only that prompt; the other job completes; credits are right', async () => {
  gpu.faults.slowMs = 200;
  const credits = await account.credits();
  const began = gpu.accepted.length;
  const [one, other] = [await submit(), await submit()];
  await until(async () => gpu.accepted.length === began + 2 && gpu.begun.length === began + 1, 30_000);
  const before = gpu.interrupted.length;
  const running = await until(async () => {
    const [a, b] = [await look(one), await look(other)];
    return a.progress > 0.1 ? one : b.progress > 0.1 ? other : undefined;
  }, 30_000);
  const waiting = running === one ? other : one;
  assert.equal((await account.call('POST', `/v1/jobs/${running}/cancel`)).status, 200);
  await until(async () => gpu.interrupted.length === before + 1, 30_000);
  assert.deepEqual(
    [(await look(running)).status, (await look(running)).error],
    ['FAILED', 'The job was cancelled.'],
  );
  assert.equal((await atEnd(waiting)).status, 'COMPLETED');
  assert.equal(await account.credits(), credits - 3);
  assert.deepEqual(gpu.queue(), []);
});

test('why a server refused a workflow is the operator’s to see, and nobody else’s', async () => {
  gpu.behave();
  gpu.faults.nodeErrors = true;
  const created = await createAccount(service.db, { email: 'op@example.com', credits: 10, role: 'operator' });
  const seenBy = async (someone: TestAccount) => {
    const body = { input_image: photo, style_id: 1, outpaint: false };
    const { id } = (await someone.call('POST', '/v5/run/multi_swap', body)).body;
    return until(async () => {
      const detail = (await someone.call('GET', `/v1/jobs/${id}`)).body;
      return detail.status === 'FAILED' && detail;
    }, 30_000);
  };
  const own = await seenBy(account);
  const operators = await seenBy(accountOn(service.url, created));
  gpu.behave();
  const sentence = 'The workflow of this filter does not run on the GPU servers of this installation.';
  assert.deepEqual([own.error, own.failure, 'cause' in own], [sentence, 'server', false]);
  assert.equal(
    operators.cause,
    `${sentence} ${new URL(gpu.url).host}: node 9 (SaveImage), input images: Required input is missing`,
  );
});

test('what a node of a custom filter’s workflow raised is on the job for the operator, and among the dead letters', async () => {
  gpu.behave();
  const created = await createAccount(service.db, {
    email: 'op2@example.com',
    credits: 10,
    role: 'operator',
  });
  const operator = accountOn(service.url, created);
  const filters = '/v1/users/me/my-custom-filters';
  const definition = pictureWorkflow();
  // A graph that no job of this server was made with.
  definition.workflow['4']!.inputs.text = 'grainy';
  const raised = async (someone: TestAccount) => {
    const made = await someone.call('POST', filters, { name: 'Mine', filter_type: 'face_swap', definition });
    const body = { base64: photo, gender: 0, filter_id: made.body.id };
    const { id } = (await someone.call('POST', '/v6/run/face_swap', body)).body;
    return until(async () => {
      const detail = (await someone.call('GET', `/v1/jobs/${id}`)).body;
      return detail.status === 'FAILED' && detail;
    }, 30_000);
  };
  gpu.faults.raise = { type: 'ValueError', message: 'odd shape' };
  const [own, seen] = [await raised(account), await raised(operator)];
  gpu.behave();
  assert.equal(own.error, 'The workflow of this filter failed. Choose another filter.');
  assert.deepEqual(['cause' in own, 'attempts' in own], [false, false]);
  const cause = 'a node raised an error that Guise does not know (node 8 (VAEDecode): ValueError odd shape)';
  assert.equal(seen.cause, `${own.error} ${cause}`);
  const [{ at, seconds, gpu_seconds, ...attempt }, ...more] = seen.attempts;
  assert.deepEqual([attempt, more], [{ server: new URL(gpu.url).host, cause }, []]);
  assert.ok(Math.abs(Date.parse(at) - Date.parse(seen.finished_at)) < 60_000);
  assert.ok(seconds >= 0 && seconds < 60, String(seconds));
  assert.ok(gpu_seconds >= 0 && gpu_seconds < 60, String(gpu_seconds));
  const letters = await service.db.all(listDeadLetters, { limit: 10 });
  assert.equal(letters.find(({ job_id }) => job_id === seen.id)?.reason, seen.cause);
});

test('/ready names the engine and what it makes', async () => {
  const { body } = await account.call('GET', '/ready');
  const studio = body.engines.find((engine: { name: string }) => engine.name === 'gpu');
  assert.ok(studio.families.includes('face_swap_v6'));
  assert.deepEqual(body.families_without_engine, ['living_portrait'], 'made by the local engine alone');
  assert.equal(
    new Set(body.engines.map((engine: { name: string }) => engine.name)).size,
    body.engines.length,
  );
});
