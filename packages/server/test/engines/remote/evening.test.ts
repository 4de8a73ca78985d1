import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createAccount } from '../../../src/accounts/accounts.ts';
import { cannotMake } from '../../../src/engines/engine.ts';
import { createEngines } from '../../../src/engines/engines.ts';
import { type ComfyuiServer, comfyuiServer } from '../../support/comfyui-server.ts';
import { type FalServer, falServer } from '../../support/fal-server.ts';
import {
  accountOn,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../../support/harness.ts';
import { falPlan } from '../../support/hosted.ts';
import { comfyuiPlan } from '../../support/remote.ts';
import { type TestEngine, testEngine } from '../../support/test-engine.ts';

/** An evening at which one engine after the other goes away, as guests, the host and the operator see it. */
let fal: FalServer;
let gpu: ComfyuiServer;
let local: TestEngine;
let service: TestServer;
let operator: TestAccount;
let booth: (method: string, path: string, body?: unknown, wait?: number) => Promise<{ body: Answer }>;
let eventId: string;
/** Answers of many kinds. */
// biome-ignore lint/suspicious/noExplicitAny: as JSON is.
type Answer = any;

before(async () => {
  fal = await falServer();
  gpu = await comfyuiServer();
  local = Object.assign(testEngine(), { name: 'local' });
  const hosted = falPlan(fal, { dollars_per_picture: 0.03 }, { fallback: 'next' });
  const own = comfyuiPlan([gpu], { fallback: 'next' });
  if (own.engines.gpu?.type === 'comfyui') own.engines.gpu.servers[0]!.gpu_hour_price = 3.6;
  const plan = {
    engines: { ...hosted.engines, ...own.engines },
    routes: [...hosted.routes, ...own.routes.filter(({ fallback }) => fallback)],
    local: true,
  };
  service = await startTestServer({ runsPerMinute: 0 }, (config) =>
    createEngines(config, plan, { createLocal: () => local }),
  );
  const made = { email: 'op@example.com', credits: 1000, role: 'operator' } as const;
  operator = accountOn(service.url, await createAccount(service.db, made));
  const event = (await operator.call('POST', '/v1/events', eventOf({ hosted_engines: true }))).body;
  eventId = event.id;
  booth = await boothOf(eventId);
});
after(async () => {
  await service.stop();
  await Promise.all([fal.stop(), gpu.stop()]);
});

const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();
const eventOf = (more: object) => ({
  name: 'Gala',
  starts_at: inHours(-1),
  ends_at: inHours(5),
  offers: [{ id: 'astronaut', kind: 'single', filter_id: 1, labels: { en: 'Astronaut' } }],
  pictures_per_guest: 3,
  ...more,
});

async function boothOf(id: string) {
  const { secret } = (await operator.call('POST', `/v1/events/${id}/keys`, { name: 'tablet' })).body;
  return (method: string, path: string, body?: unknown, wait = 0) =>
    request(service.url, method, path, body, { 'x-api-key': secret, prefer: `wait=${wait}` });
}

/** A guest's photo, until the guest has read what came of it; with what the operator reads of the same job. */
async function guest(at = booth) {
  const name = randomUUID();
  const before = await operator.credits();
  const shoot = { guest: name, offer_id: 'astronaut', image: photo };
  const { id, pictures_left } = (await at('POST', '/v1/booth/jobs', shoot)).body;
  const told = await until(async () => {
    const { body } = await at('GET', `/v1/booth/jobs/${id}`, undefined, 30);
    return (body.status === 'COMPLETED' || body.status === 'FAILED') && body;
  }, 60_000);
  const { applied, attempts } = (await operator.call('GET', `/v1/jobs/${id}`)).body;
  const maker = applied.filter((sentence: string) => sentence.startsWith('made by'));
  const servers = attempts.map(({ cause }: { cause: string | null }) => cause === null);
  const charged = before - (await operator.credits());
  return {
    told: [told.status, told.error],
    hasPicture: told.url !== null,
    maker,
    servers,
    charged,
    pictures_left,
  };
}

const made = { told: ['COMPLETED', null], hasPicture: true, pictures_left: 2 };

test('all is well: the hosted engine makes the picture', async () => {
  assert.deepEqual(await guest(), { ...made, maker: [], servers: [true], charged: 1 });
});

test('the service refuses a photo: the guest is told, and has the picture back', async () => {
  const refusal = { detail: [{ type: 'content_policy_violation', loc: ['body', 'prompt'], msg: 'no' }] };
  fal.planned.result.push({ status: 422, body: refusal });
  const { told, hasPicture, charged } = await guest();
  assert.deepEqual(told, [
    'FAILED',
    'The picture service refused this photo or these words. Try another photo, or choose another style.',
  ]);
  assert.deepEqual([hasPicture, charged], [false, 0]);
});

test('the hosted engine dies: the GPU server makes the pictures, also while the dead one rests', async () => {
  await fal.stop();
  for (let i = 0; i < 4; i++)
    assert.deepEqual(await guest(), {
      ...made,
      maker: ['made by the gpu engine, because hosted could not'],
      servers: [false, true],
      charged: 1,
    });
  const { engines } = (await request(service.url, 'GET', '/ready')).body;
  const [server] = engines.find(({ name }: { name: string }) => name === 'hosted').servers;
  assert.deepEqual([server.state, server.reason], ['resting', 'not reachable']);
});

test('the GPU server raises: the local engine makes them', async () => {
  gpu.faults.raise = { type: 'torch.OutOfMemoryError', message: 'CUDA out of memory' };
  assert.deepEqual(await guest(), {
    ...made,
    maker: ['made by the local engine, because hosted could not, and gpu could not'],
    servers: [false, false],
    charged: 1,
  });
});

test('what is wrong with the photo is told as such, and nobody pays', async () => {
  local.before = () =>
    Promise.reject(cannotMake('No face was found in the photo. Face the camera and try again.'));
  const { told, charged } = await guest();
  assert.deepEqual(told, ['FAILED', 'No face was found in the photo. Face the camera and try again.']);
  assert.equal(charged, 0);
  local.before = async () => {};
});

test('an event that forbids the service never falls back to it', async () => {
  const asked = fal.inputs.length;
  const other = (await operator.call('POST', '/v1/events', eventOf({}))).body;
  const { maker } = await guest(await boothOf(other.id));
  assert.deepEqual(maker, ['made by the local engine, because gpu could not']);
  assert.equal(fal.inputs.length, asked);
});

test('the event and the usage say what it cost, to the operator alone', async () => {
  const event = (await operator.call('GET', `/v1/events/${eventId}`)).body;
  const { total } = (await operator.call('GET', '/v1/usage')).body;
  assert.ok(event.gpu_seconds > 0);
  // One picture of the service, and what the GPU took at 3.6 dollars an hour.
  assert.ok(Math.abs(event.cost_usd - (0.03 + event.gpu_seconds / 1000)) < 1e-6, JSON.stringify(event));
  assert.deepEqual([event.spent, event.jobs, total.jobs], [6, 8, 9]);
  assert.ok(total.cost_usd >= event.cost_usd && total.gpu_seconds >= event.gpu_seconds);
  const jobs = (await operator.call('GET', '/v1/jobs')).body.jobs;
  await operator.call('DELETE', `/v1/jobs/${jobs.at(-1).id}`);
  assert.deepEqual((await operator.call('GET', '/v1/usage')).body.total, total);
  const csv = await operator.call('GET', '/v1/usage?format=csv');
  assert.match(csv.body, /^day,jobs,completed,failed,credits,cancelled,gpu_seconds,cost_usd\r\n/);
  const tenant = await service.account();
  const own = (await tenant.call('GET', '/v1/usage')).body.total;
  assert.deepEqual(['cost_usd' in own, 'gpu_seconds' in own], [false, false]);
  const theirs = (await tenant.call('POST', '/v1/events', eventOf({}))).body;
  assert.deepEqual(['cost_usd' in theirs, 'gpu_seconds' in theirs], [false, false]);
});
