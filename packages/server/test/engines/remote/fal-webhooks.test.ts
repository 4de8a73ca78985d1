import assert from 'node:assert/strict';
import { createHash, type KeyObject } from 'node:crypto';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { createAccount } from '../../../src/accounts/accounts.ts';
import { type App, startApi } from '../../../src/app/api-node.ts';
import { openStore } from '../../../src/app/storage.ts';
import { startWorkerNode, type WorkerNode } from '../../../src/app/worker-node.ts';
import { type Config, readConfig } from '../../../src/config.ts';
import type { Engine } from '../../../src/engines/engine.ts';
import { createEngines } from '../../../src/engines/engines.ts';
import { createFalWebhooks, falWebhookUrl } from '../../../src/engines/fal/fal-webhooks.ts';
import {
  type FalKeys,
  falKeys,
  newKeyPair,
  type SignedWebhook,
  signedWebhook,
} from '../../support/fal-keys.ts';
import { type FalServer, falServer } from '../../support/fal-server.ts';
import { accountOn, photo, type TestAccount, temporaryConfig, until } from '../../support/harness.ts';
import { falPlan } from '../../support/hosted.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres-server.ts';
import { directRun, remoteEngines } from '../../support/remote.ts';

/** A node that is called by fal, and a worker whose run waits and asks by itself long after the test. */
const slowPolling = { firstMs: 600_000, longestMs: 600_000 };
const { publicKey, privateKey } = newKeyPair();
let postgres: TestPostgres;
let fal: FalServer;
let keys: FalKeys;
let config: Config;
let api: App;
let worker: WorkerNode;
let account: TestAccount;
before(async () => {
  postgres = await startPostgres();
  fal = await falServer();
  keys = await falKeys();
  keys.keys = [newKeyPair().publicKey, publicKey];
  config = temporaryConfig({
    demo: false,
    databaseUrl: await postgres.database(),
    publicUrl: 'https://guise.example.com',
    falKeysUrl: keys.url,
  });
  const db = await openStore(config);
  const stored = await createAccount(db, { email: 'webhooks@example.com', credits: 1000 });
  await db.close();
  api = await startApi(config);
  const plan = falPlan(fal, { polling: slowPolling }, { likeness: 0 });
  worker = await startWorkerNode(config, () => createEngines(config, plan));
  account = accountOn(api.url, stored);
});
after(async () => {
  await Promise.all([api.stop(), worker.stop()]);
  await Promise.all([fal.stop(), keys.stop(), postgres.stop()]);
  rmSync(config.dataDir, { recursive: true });
});

const post = async ({ headers, body }: SignedWebhook): Promise<number> => {
  const answer = await fetch(`${api.url}/v1/engine_webhooks/fal`, { method: 'POST', headers, body });
  await answer.arrayBuffer();
  return answer.status;
};

/** A job whose request fal works on, with the id of that. */
async function startJob(): Promise<{ id: string; requestId: string }> {
  const polls = fal.calls.status;
  fal.stuckAs = 'IN_PROGRESS';
  const { id } = (await account.call('POST', '/v6/run/face_swap', { base64: photo, gender: 0, filter_id: 1 }))
    .body;
  await until(async () => fal.calls.status > polls);
  return { id, requestId: `00000000-0000-4000-8000-${String(fal.inputs.length).padStart(12, '0')}` };
}

const statusOf = async (id: string) => (await account.call('POST', `/v6/status/${id}`)).body.status;

test('a signed webhook to an API node makes a worker ask for the result, which is delivered once', async () => {
  const { id, requestId } = await startJob();
  assert.equal(fal.webhooks.at(-1), 'https://guise.example.com/v1/engine_webhooks/fal');
  const results = fal.calls.result;
  fal.stuckAs = null;
  const webhook = signedWebhook(requestId, privateKey);
  // fal may send it again, and somebody who has seen it may, too.
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => post(webhook))), [204, 204, 204]);
  await until(async () => (await statusOf(id)) === 'COMPLETED');
  assert.equal(fal.calls.result, results + 1);
  assert.equal(await post(webhook), 204);
  assert.equal(keys.reads, 1);
});

test('a run that is told too early goes on as before, and replays do not make it ask more often', async () => {
  const [early, late] = [await startJob(), await startJob()];
  const polls = fal.calls.status;
  await post(signedWebhook(early.requestId, privateKey));
  await until(async () => fal.calls.status === polls + 1);
  assert.equal(await statusOf(early.id), 'IN_QUEUE');
  for (let n = 0; n < 3; n++) assert.equal(await post(signedWebhook(early.requestId, privateKey)), 204);
  // Nodes tell each other in order: what was told before it has been heard.
  await post(signedWebhook(late.requestId, privateKey));
  await until(async () => fal.calls.status >= polls + 2);
  assert.equal(fal.calls.status, polls + 2);
  for (const { id } of [early, late])
    assert.equal((await account.call('DELETE', `/v1/jobs/${id}`)).status, 204);
});

test('forged, changed, old and unsigned webhooks are refused, and wake nobody', async () => {
  const { id, requestId } = await startJob();
  const polls = fal.calls.status;
  const good = signedWebhook(requestId, privateKey);
  const { 'x-fal-webhook-signature': _, ...unsigned } = good.headers;
  const minute = 60_000;
  const bad: Record<string, SignedWebhook> = {
    'of another key': signedWebhook(requestId, newKeyPair().privateKey),
    'another body': { ...good, body: good.body.replace('OK', 'ERROR') },
    'another request': { ...good, headers: { ...good.headers, 'x-fal-webhook-request-id': 'other' } },
    'another user': { ...good, headers: { ...good.headers, 'x-fal-webhook-user-id': 'other' } },
    'another time': {
      ...good,
      headers: { ...good.headers, 'x-fal-webhook-timestamp': String(Math.floor(Date.now() / 1000) + 1) },
    },
    'six minutes old': signedWebhook(requestId, privateKey, Date.now() - 6 * minute),
    'of the future': signedWebhook(requestId, privateKey, Date.now() + 6 * minute),
    'no signature': { ...good, headers: unsigned },
    'no hex': { ...good, headers: { ...good.headers, 'x-fal-webhook-signature': 'z'.repeat(128) } },
  };
  for (const [what, webhook] of Object.entries(bad)) assert.equal(await post(webhook), 401, what);
  assert.equal(fal.calls.status, polls);
  fal.stuckAs = null;
  assert.equal(await post(signedWebhook(requestId, privateKey, Date.now() - 4 * minute)), 204);
  await until(async () => (await statusOf(id)) === 'COMPLETED');
  assert.equal(fal.calls.status, polls + 1);
});

/** Webhooks that are verified at a time of the test. */
function verifier(source: FalKeys) {
  let now = Date.now();
  const webhooks = createFalWebhooks({
    keysUrl: source.url,
    publicUrl: 'https://guise.example.com',
    now: () => now,
    publish: () => {},
  });
  return {
    pass: (ms: number) => {
      now += ms;
    },
    verify(key: KeyObject) {
      const { headers, body } = signedWebhook('a', key, now);
      return webhooks.receive(headers, createHash('sha256').update(body).digest('hex'));
    },
    close: webhooks.close,
  };
}

const minuteMs = 60_000;

test('without an address that fal can call, nobody is believed to be it', () => {
  const { headers } = signedWebhook('a', privateKey);
  for (const publicUrl of ['', 'http://guise.example.com', 'https://192.168.0.7']) {
    const { check } = createFalWebhooks({ keysUrl: 'https://keys.invalid/', publicUrl, publish: () => {} });
    assert.throws(() => check(headers), { code: 'UNAUTHORIZED' }, publicUrl);
  }
});

test('keys are read anew for one that is not known, once a minute at most, and twice a day', async () => {
  const source = await falKeys();
  const [old, next] = [newKeyPair(), newKeyPair()];
  source.keys = [old.publicKey];
  const { verify, pass, close } = verifier(source);
  await Promise.all([1, 2, 3].map(() => verify(old.privateKey)));
  assert.equal(source.reads, 1);
  source.keys = [next.publicKey];
  for (let n = 0; n < 5; n++) await assert.rejects(verify(next.privateKey), { code: 'UNAUTHORIZED' });
  assert.equal(source.reads, 1);
  pass(minuteMs);
  await verify(next.privateKey);
  assert.equal(source.reads, 2);
  pass(minuteMs);
  await assert.rejects(verify(old.privateKey), { code: 'UNAUTHORIZED' });
  assert.equal(source.reads, 3);
  pass(12 * 60 * minuteMs);
  await verify(next.privateKey);
  assert.equal(source.reads, 4);
  await close();
  await source.stop();
});

test('while the keys cannot be read, those of today count, and without any a webhook is to be sent again', async () => {
  const source = await falKeys();
  const { publicKey: known, privateKey: own } = newKeyPair();
  source.keys = [known];
  source.isSilent = true;
  const { verify, pass, close } = verifier(source);
  await assert.rejects(verify(own), { code: 'OVERLOADED' });
  pass(minuteMs);
  source.isSilent = false;
  await verify(own);
  source.isSilent = true;
  pass(minuteMs);
  await verify(own);
  await assert.rejects(verify(newKeyPair().privateKey), { code: 'UNAUTHORIZED' });
  pass(12 * 60 * minuteMs);
  await assert.rejects(verify(own), { code: 'OVERLOADED' });
  await close();
  await source.stop();
});

test('a webhook is asked for at a public address with TLS alone; elsewhere the queue is polled', async () => {
  const url = 'https://guise.example.com/v1/engine_webhooks/fal';
  assert.equal(falWebhookUrl('https://guise.example.com'), url);
  for (const address of [
    ...['', 'http://guise.example.com', 'https://localhost', 'https://booth', 'https://booth.local'],
    ...['https://192.168.1.5', 'https://127.0.0.1:8080', 'https://[::1]', 'https://[fd00::1]'],
  ])
    assert.equal(falWebhookUrl(address), null, address);
  fal.stuckAs = null;
  const engines = remoteEngines(falPlan(fal));
  const run = await directRun(Buffer.from(photo, 'base64'));
  await engines[0]!.run(run.request, { ...run.context, subscribe: () => assert.fail('it listens') });
  assert.equal(fal.webhooks.at(-1), null);
  await Promise.all(engines.map((engine) => engine.close()));
  await run.clean();
});

test('a run polls at its usual pace until webhooks arrive, rarely then, and as before once one does not', async () => {
  // After the second poll of a run that polls rarely, none comes in the time of a test.
  const rarePolling = { firstMs: 10, growth: 60_000, longestMs: 600_000 };
  const [queue, other] = [await falServer(), await falServer()];
  const place = { ...readConfig({}), publicUrl: 'https://guise.example.com' };
  const engines = createEngines(place, falPlan(queue, { rarePolling }, { likeness: 0 }));
  const elsewhere = remoteEngines(falPlan(other));
  const begin = async (engine: Engine, server: FalServer) => {
    server.stuckAs = 'IN_PROGRESS';
    server.calls.status = 0;
    const run = await directRun(Buffer.from(photo, 'base64'));
    const topic = Promise.withResolvers<() => void>();
    const subscribe = (_topic: string, listener: () => void) => {
      topic.resolve(listener);
      return () => {};
    };
    const work = engine.run(run.request, { ...run.context, subscribe });
    const end = async () => {
      server.stuckAs = null;
      await work.finally(run.clean);
    };
    return { told: topic.promise, end, polls: () => server.calls.status };
  };
  const usual = await begin(engines[0]!, queue);
  await until(async () => usual.polls() >= 4);
  const tell = await usual.told;
  for (let n = 0; n < 20; n++) tell();
  await usual.end();
  assert.equal(queue.calls.result, 1);

  const rare = await begin(engines[0]!, queue);
  const clock = await begin(elsewhere[0]!, other);
  await until(async () => clock.polls() >= 20);
  assert.ok(rare.polls() <= 2, `${rare.polls()} polls`);
  queue.stuckAs = null;
  (await rare.told)();
  await rare.end();

  const missed = await begin(engines[0]!, queue);
  await missed.end();
  const again = await begin(engines[0]!, queue);
  await until(async () => again.polls() >= 4);
  await Promise.all([again.end(), clock.end()]);
  await Promise.all([...engines, ...elsewhere].map((engine) => engine.close()));
  await Promise.all([queue.stop(), other.stop()]);
});
