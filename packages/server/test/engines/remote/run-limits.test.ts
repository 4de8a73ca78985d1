import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from '@guise/contract/families/families.ts';
import sharp from 'sharp';
import type { Engine } from '../../../src/engines/engine.ts';
import { withFallback } from '../../../src/engines/fallback.ts';
import { engineFor } from '../../../src/engines/routing.ts';
import { runLimits, wholeLimit } from '../../../src/engines/run-limits.ts';
import { comfyuiServer } from '../../support/comfyui-server.ts';
import { photo as base64, startTestServer, until } from '../../support/harness.ts';
import { comfyuiPlan, directRun, type RunFields, remoteEngines, runpodPlan } from '../../support/remote.ts';
import { runpodServer } from '../../support/runpod-server.ts';
import { testEngine } from '../../support/test-engine.ts';

const photo = await sharp({ create: { width: 90, height: 120, channels: 3, background: '#c08060' } })
  .jpeg()
  .toBuffer();
const group: RunFields = { family: 'multi_swap_v5', params: { outpaint: false } };
const timeLimits = { silentPollMs: 60, pollMs: 100, healthMs: 500 };
const close = (engines: Engine[]) => Promise.all(engines.map((engine) => engine.close()));

async function begin(engines: Engine[]) {
  const run = await directRun(photo, group);
  const work = engineFor(engines, run.request).run(run.request, run.context).finally(run.clean);
  work.catch(() => {});
  return { work };
}

for (const silentSocket of [false, true]) {
  test(`a run is stopped by the time it ran, not by the time it waited${silentSocket ? ', without a socket too' : ''}`, async () => {
    const server = await comfyuiServer();
    Object.assign(server.faults, { slowMs: 500, silentSocket });
    const engines = remoteEngines(comfyuiPlan([server], { running_seconds: 3, waiting_seconds: 60 }), {
      timeLimits,
    });
    const { work: first } = await begin(engines);
    await until(async () => server.begun.length === 1);
    const { work: second } = await begin(engines);
    await assert.rejects(first, {
      code: 'ENGINE_BROKE',
      retryable: false,
      message: 'The job took longer than it may and was stopped.',
    });
    server.faults.slowMs = 0;
    await second;
    assert.deepEqual([server.interrupted.length, server.begun.length], [1, 2]);
    await close(engines);
    await server.stop();
  });
}

test('a run that waits too long is taken out of the queue, and what runs goes on', async () => {
  const server = await comfyuiServer();
  server.faults.slowMs = 100;
  const engines = remoteEngines(comfyuiPlan([server], { running_seconds: 60, waiting_seconds: 0.3 }), {
    timeLimits,
  });
  const { work: first } = await begin(engines);
  await until(async () => server.begun.length === 1);
  const { work: second } = await begin(engines);
  await assert.rejects(second, { message: 'The GPU servers did not get to this job in time.' });
  await first;
  await until(async () => server.queue().length === 0);
  assert.deepEqual([server.interrupted.length, server.begun.length], [0, 1]);
  await close(engines);
  await server.stop();
});

test('a rented GPU has its own limits for waiting and running, or those of the route', async () => {
  const server = await runpodServer({ queueMs: 1, runMs: 1 });
  server.faults.never = true;
  const polling = { firstMs: 30, longestMs: 80, overtimeMs: 0 };
  const made = (running_seconds: number, waiting_seconds: number) =>
    remoteEngines(runpodPlan(server, { running_seconds, waiting_seconds }), { polling });
  const engines = made(0.4, 60);
  await assert.rejects((await begin(engines)).work, {
    message: 'The job took longer than it may and was stopped.',
  });
  await until(async () => server.cancelled.length === 1);
  assert.deepEqual(server.policies, [{ executionTimeout: 400, ttl: 60_400 }]);
  assert.equal(engines[1]!.timeLimitOf!('multi_swap_v5'), 150_400);
  const plain = remoteEngines(runpodPlan(server));
  assert.equal(plain[1]!.timeLimitOf!('multi_swap_v5'), 210_000);
  const asleep = await runpodServer({ queueMs: 600_000 });
  const waiting = remoteEngines(runpodPlan(asleep, { waiting_seconds: 0.3 }), { polling });
  await assert.rejects((await begin(waiting)).work, {
    message: 'The rented GPU did not get to this job in time.',
    retryable: false,
  });
  await until(async () => asleep.cancelled.length === 1);
  await Promise.all([close(engines), close(plain), close(waiting)]);
  await Promise.all([server.stop(), asleep.stop()]);
});

test('a job may take as long as its route allows, and its stand-in as long as its family', async () => {
  const family = familyOf('multi_swap_v5');
  const usual = family.timeLimitMs;
  assert.ok(wholeLimit(runLimits('multi_swap_v5')) > usual);
  assert.ok(runLimits('first_last_frame_video').runningMs > runLimits('multi_swap_v5').runningMs);
  const inner = testEngine();
  const slow: Engine = {
    ...inner,
    timeLimitOf: () => 60_000,
    run: async (request, context) => {
      await sleep(700, undefined, { signal: context.signal });
      return inner.run(request, context);
    },
  };
  assert.equal(withFallback(slow, [inner]).timeLimitOf!('multi_swap_v5'), 60_000 + usual);
  family.timeLimitMs = 300;
  const service = await startTestServer({}, () => [slow]);
  const account = await service.account();
  const body = { input_image: base64, style_id: 1, outpaint: false };
  const { id } = (await account.call('POST', '/v5/run/multi_swap', body)).body;
  const status = await until(async () => {
    const answer = (await account.call('POST', `/v5/status_multi_swap/${id}`)).body.status;
    return ['COMPLETED', 'FAILED'].includes(answer) && answer;
  }, 30_000);
  family.timeLimitMs = usual;
  assert.equal(status, 'COMPLETED');
  await service.stop();
});
