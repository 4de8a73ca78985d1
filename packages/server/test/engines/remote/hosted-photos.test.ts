import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createAccount } from '../../../src/accounts/accounts.ts';
import { engineBroke } from '../../../src/engines/engine.ts';
import { createEngines } from '../../../src/engines/engines.ts';
import { inspections } from '../../../src/engines/inspections.ts';
import { engineFor } from '../../../src/engines/routing.ts';
import { tryRoutes } from '../../../src/engines/try-routes.ts';
import { falServer } from '../../support/fal-server.ts';
import {
  accountOn,
  photo,
  request,
  startTestServer,
  type TestAccount,
  type TestServer,
  until,
} from '../../support/harness.ts';
import { falPlan, openaiImagesPlan } from '../../support/hosted.ts';
import {
  type OpenaiImagesServer,
  openaiError,
  openaiImagesServer,
} from '../../support/openai-images-server.ts';
import { directRun, remoteEngines } from '../../support/remote.ts';
import { type TestEngine, testEngine } from '../../support/test-engine.ts';

/** Every way by which a photo could come to a company that nobody has allowed it for. */
let company: OpenaiImagesServer;
let local: TestEngine;
let service: TestServer;
let account: TestAccount;
before(async () => {
  company = await openaiImagesServer();
  local = testEngine();
  const plan = openaiImagesPlan(company, { dollars_per_picture: 0.04 }, { fallback: 'local' });
  service = await startTestServer({ runsPerMinute: 0 }, (config) =>
    createEngines(config, plan, { createLocal: () => ({ ...local, name: 'local' }) }),
  );
  const operator = { email: 'op@example.com', credits: 1000, role: 'operator' } as const;
  account = accountOn(service.url, await createAccount(service.db, operator));
});
after(async () => {
  await service.stop();
  await company.stop();
});
beforeEach(() => {
  company.requests.length = 0;
  company.planned.length = 0;
  local.requests.length = 0;
});
afterEach(() => {
  local.before = async () => {};
});

const swap = { base64: photo, gender: 0, filter_id: 1 };
const detailAtEnd = (id: string) =>
  until(async () => {
    const { body } = await account.call('GET', `/v1/jobs/${id}`);
    return (body.status === 'COMPLETED' || body.status === 'FAILED') && body;
  }, 60_000);

async function runSwap(headers: Record<string, string> = {}) {
  const { body } = await account.call('POST', '/v6/run/face_swap', swap, headers);
  return detailAtEnd(body.id);
}

const inHours = (hours: number) => new Date(Date.now() + hours * 3600_000).toISOString();

async function makeEvent(more: object = {}) {
  const { body } = await account.call('POST', '/v1/events', {
    name: 'Gala',
    starts_at: inHours(-1),
    ends_at: inHours(5),
    offers: [{ id: 'astronaut', kind: 'single', filter_id: 1, labels: { en: 'Astronaut' } }],
    ...more,
  });
  const { secret } = (await account.call('POST', `/v1/events/${body.id}/keys`, { name: 'tablet' })).body;
  const call = (method: string, path: string, given?: unknown) =>
    request(service.url, method, path, given, { 'x-api-key': secret });
  const shoot = async (): Promise<string> =>
    (await call('POST', '/v1/booth/jobs', { guest: randomUUID(), offer_id: 'astronaut', image: photo })).body
      .id;
  return { id: body.id as string, call, shoot };
}

test('an account’s own run goes to the company, with its seconds and its cost on the job', async () => {
  const { status, engine, attempts } = await runSwap();
  assert.deepEqual([status, engine, company.requests.length], ['COMPLETED', 'hosted', 1]);
  assert.deepEqual([attempts[0].cost_usd, attempts[0].cause], [0.04, null]);
  assert.ok(attempts[0].seconds >= 0);
});

test('a run that says that its photos stay is made here', async () => {
  const { status } = await runSwap({ 'x-guise-photos-stay': '1' });
  assert.deepEqual([status, company.requests.length, local.requests.length], ['COMPLETED', 0, 1]);
});

test('fallback: photos that stay do not go to the company when this machine fails', async () => {
  local.before = async () => {
    throw engineBroke('Something broke.');
  };
  const { status } = await runSwap({ 'x-guise-photos-stay': '1' });
  assert.deepEqual([status, company.requests.length, local.requests.length], ['FAILED', 0, 3]);
});

test('an event sends nothing to a company unless it says so', async () => {
  const event = await makeEvent();
  assert.deepEqual((await event.call('GET', '/v1/booth')).body.photos_go_to, []);
  assert.equal((await detailAtEnd(await event.shoot())).status, 'COMPLETED');
  assert.deepEqual([company.requests.length, local.requests.length], [0, 1]);
});

test('an event that allows it tells the booth who gets the photos', async () => {
  const event = await makeEvent({ hosted_engines: true });
  assert.deepEqual((await event.call('GET', '/v1/booth')).body.photos_go_to, ['OpenAI']);
  assert.equal((await detailAtEnd(await event.shoot())).engine, 'hosted');
  assert.equal(company.requests.length, 1);
});

test('retry: a job of an event that forbids it meanwhile goes on here', async () => {
  const event = await makeEvent({ hosted_engines: true });
  company.planned.push(openaiError(500, null, 'broken'));
  // The fallback fails once too, so that the job goes back to the queue.
  let failed = false;
  local.before = async () => {
    if (failed) return;
    failed = true;
    await account.call('PATCH', `/v1/events/${event.id}`, { hosted_engines: false });
    throw engineBroke('Something broke.');
  };
  const { status, engine } = await detailAtEnd(await event.shoot());
  assert.deepEqual([status, engine, company.requests.length], ['COMPLETED', 'local', 1]);
});

test('preview, draft and QA: photos of filters and of photo sets stay here', async () => {
  const filters = '/v1/users/me/my-custom-filters';
  const definition = { kind: 'prompt', prompt: 'in the snow' };
  const made = await account.call('POST', filters, { name: 'Snow', filter_type: 'face_swap', definition });
  await until(async () => local.requests.some(({ jobId }) => jobId === `preview-${made.body.id}`));
  const draft = await account.call('POST', '/v1/filter_drafts/test', {
    filter_type: 'face_swap',
    definition,
  });
  assert.equal(draft.status, 200, JSON.stringify(draft.body));
  const [samples] = (await account.call('GET', '/v1/photo_sets')).body.photo_sets;
  const run = await account.call('POST', '/v1/qa_runs', {
    filter_id: made.body.id,
    photo_set_id: samples.id,
  });
  for (const { job_id } of run.body.cells) assert.equal((await detailAtEnd(job_id)).engine, 'local');
  assert.ok(run.body.cells.length > 0);
  assert.equal(company.requests.length, 0);
});

test('check: doctor asks for models and keys, and `engines check` runs workflows alone: no photo is sent', async () => {
  const queue = await falServer();
  const plans = [openaiImagesPlan(company), falPlan(queue)];
  for (const plan of plans) {
    for (const { check } of inspections(plan)) assert.match(await check(), /^answers/);
    const options = {
      folder: service.config.dataDir,
      signal: AbortSignal.timeout(30_000),
      progress: () => {},
    };
    assert.deepEqual(await tryRoutes(service.config, plan, options), []);
    const wrong = { ...plan.engines.hosted!, key: 'wrong' } as never;
    for (const { check } of inspections({ ...plan, engines: { hosted: wrong } }))
      await assert.rejects(check(), /refuses the key/);
  }
  assert.deepEqual([company.requests.length, queue.calls.submit], [0, 0]);
  await queue.stop();
});

test('another Guise is told that photos stay, and an engine of a company refuses what should never come to it', async () => {
  const headers: unknown[] = [];
  const other = createServer((asked, response) => {
    if (asked.method === 'POST') headers.push(asked.headers['x-guise-photos-stay']);
    response.writeHead(asked.method === 'POST' ? 402 : 200).end('{}');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const home = { type: 'guise', url, key: 'k', jobs: 1, patience_seconds: 5, private_results: true } as const;
  const routes = [{ families: ['face_swap_v6' as const], engine: 'home', workflows: [] }];
  const engines = remoteEngines({ engines: { home }, routes, local: false });
  const hosted = remoteEngines(openaiImagesPlan(company));
  const run = await directRun(Buffer.from(photo, 'base64'), { filterRef: '1' });
  const stays = { ...run.request, photosStay: true };
  await assert.rejects(engineFor(engines, stays).run(stays, run.context));
  await assert.rejects(hosted[0]!.run(stays, run.context), { code: 'ENGINE_REFUSED' });
  assert.throws(() => engineFor(hosted, stays), /Photos stay on this installation/);
  assert.deepEqual([headers, company.requests.length], [['1'], 0]);
  await Promise.all([...engines, ...hosted].map((engine) => engine.close()));
  await run.clean();
  other.closeAllConnections();
  await new Promise((resolve) => other.close(resolve));
});
