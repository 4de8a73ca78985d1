import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { familyOf } from '@guise/contract/families/families.ts';
import { pino } from 'pino';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import { cannotMake, engineBroke, engineUnfit } from '../../src/engines/engine.ts';
import { createChanges } from '../../src/jobs/changes.ts';
import { fail } from '../../src/jobs/end.ts';
import { startHeartbeat } from '../../src/jobs/heartbeat.ts';
import { noJobHooks } from '../../src/jobs/job-hooks.ts';
import { noJobMetrics } from '../../src/jobs/job-metrics.ts';
import { resultKeyOf } from '../../src/jobs/results/result-keys.ts';
import { type RunParts, runJob } from '../../src/jobs/run-job.ts';
import { startWorker } from '../../src/jobs/worker-loop.ts';
import { noSigner } from '../../src/provenance/result-signer.ts';
import { findAccount } from '../../src/store/account-records.ts';
import type { Blobs } from '../../src/store/blobs.ts';
import { listDeadLetters } from '../../src/store/dead-letters.ts';
import { failedTimeOf } from '../../src/store/failed-run-records.ts';
import { findJobById } from '../../src/store/job-records.ts';
import type { Queue } from '../../src/store/queue.ts';
import { storageUnavailable } from '../../src/store/storage-unavailable.ts';
import { decodesHere } from '../support/decode-here.ts';
import { temporaryConfig, until } from '../support/harness.ts';
import { type TestEngine, testEngine } from '../support/test-engine.ts';
import { queuedJob, storedAccount } from './queued-job.ts';

const config = temporaryConfig();
const log = pino({ level: 'silent' });
const never = new AbortController().signal;
let storage: Storage;
let parts: RunParts;
before(async () => {
  storage = await openStorage(config);
  parts = {
    ...storage,
    changes: createChanges(),
    jobHooks: noJobHooks,
    resultMs: config.resultMs,
    engines: [testEngine()],
    scratchDir: join(config.dataDir, 'scratch'),
    installationId: '01890000-0000-7000-8000-000000000000',
    signer: noSigner,
    decoder: decodesHere,
    metrics: noJobMetrics,
    log,
  };
});
after(async () => {
  await storage.close();
  rmSync(config.dataDir, { recursive: true, force: true });
});

const row = async (id: string) => (await storage.db.one(findJobById, { id }))!;
const balance = async (id: string) => (await storage.db.one(findAccount, { id }))!.balance;
const minutes = 60_000;

test('a job that fails through a fault of the server leaves a dead letter, one that its photo fails leaves none', async () => {
  const account = await storedAccount(storage.db);
  const engine = testEngine();
  engine.before = async () => {
    throw engineBroke('The engine had a hiccup.', new Error('out of memory'));
  };
  const { id, family } = await queuedJob(storage.db, storage.queue, account.id, { retries: 2 });
  await runJob({ ...parts, engines: [engine] }, (await storage.queue.claim([{ family }]))!, never);
  engine.before = async () => {
    throw cannotMake('No face was found.');
  };
  const refused = await queuedJob(storage.db, storage.queue, account.id);
  await runJob({ ...parts, engines: [engine] }, (await storage.queue.claim([{ family }]))!, never);
  assert.equal((await row(refused.id)).error, 'No face was found.');
  const letters = await storage.db.all(listDeadLetters, { limit: 10 });
  assert.deepEqual(
    letters.map(({ job_id, reason, retries }) => ({ job_id, reason, retries })),
    [{ job_id: id, reason: 'The engine had a hiccup. out of memory', retries: 2 }],
  );
});

/** Engine time of failed runs that counts against an account. */
const failedMs = async (account_id: string) =>
  (await storage.db.one(failedTimeOf, { account_id, window_ms: 10 * minutes }))!.engine_ms;

test('a storage that does not answer holds neither job nor slot beyond the time limit, and what it stores late is removed', async () => {
  const account = await storedAccount(storage.db);
  const answered = Promise.withResolvers<void>();
  const removed: string[] = [];
  const blobs: Blobs = {
    ...storage.blobs,
    open: () => new Promise(() => {}),
    async put(key, bytes) {
      await storage.blobs.put(key, bytes);
      await answered.promise;
    },
    async remove(key) {
      await storage.blobs.remove(key);
      removed.push(key);
    },
  };
  const engine = { ...testEngine(), runsHere: true };
  const limited = familyOf('self_prompt_v2');
  const { timeLimitMs } = limited;
  limited.timeLimitMs = 500;
  const worker = startWorker({ ...parts, blobs, engines: [engine] }, 2);
  const jobs = [
    await queuedJob(storage.db, storage.queue, account.id),
    await queuedJob(storage.db, storage.queue, account.id, { inputs: '["inputs/00/a-0"]' }),
  ];
  try {
    for (const { id } of jobs) {
      await until(async () => (await row(id)).state === 'failed');
      assert.equal((await row(id)).error, 'The job took longer than it may and was stopped.');
    }
    await until(async () => worker.running() === 0);
  } finally {
    limited.timeLimitMs = timeLimitMs;
    await worker.stop(0);
  }
  assert.equal(await balance(account.id), 100);
  assert.equal(await failedMs(account.id), 0);
  answered.resolve();
  const key = await until(async () => removed.find((name) => name.startsWith('results/')));
  await until(async () => (await storage.blobs.read(key)) === undefined);
});

test('while the storage is away a run tries again within its time limit, and makes its picture once', async () => {
  const account = await storedAccount(storage.db);
  const photo = 'inputs/00/01890000-0000-7000-8000-00000000beef-0';
  await storage.blobs.put(photo, Buffer.from('a photo'));
  const away = { open: 1, put: 2 };
  const failWhileAway = (call: keyof typeof away) => {
    if (away[call]-- > 0) throw storageUnavailable(new Error('the bucket answers 503'));
  };
  const blobs: Blobs = {
    ...storage.blobs,
    async open(key) {
      failWhileAway('open');
      return storage.blobs.open(key);
    },
    async put(key, bytes) {
      failWhileAway('put');
      await storage.blobs.put(key, bytes);
    },
  };
  const engine = testEngine();
  const { id, family } = await queuedJob(storage.db, storage.queue, account.id, {
    inputs: JSON.stringify([photo]),
  });
  await runJob({ ...parts, blobs, engines: [engine] }, (await storage.queue.claim([{ family }]))!, never);
  const { state, retries } = await row(id);
  assert.deepEqual(
    { state, retries, runs: engine.requests.length },
    { state: 'completed', retries: 0, runs: 1 },
  );
});

test('only time that the request cost counts against its account: no storage, broken engine or fault of the server', async () => {
  const account = await storedAccount(storage.db);
  const engine = Object.assign(testEngine(), { runsHere: true });
  const away: Blobs = {
    ...storage.blobs,
    put: async () => {
      throw storageUnavailable(new Error('the bucket answers 503'));
    },
  };
  const limited = familyOf('self_prompt_v2');
  const { timeLimitMs } = limited;
  const runFailing = async (work: TestEngine['before'], blobs = storage.blobs) => {
    engine.before = async (request, context) => {
      await sleep(3);
      await work(request, context);
    };
    const { id, family } = await queuedJob(storage.db, storage.queue, account.id, { retries: 2 });
    await runJob({ ...parts, blobs, engines: [engine] }, (await storage.queue.claim([{ family }]))!, never);
    assert.equal((await row(id)).state, 'failed');
  };
  const failWith = (error: Error) => async () => {
    throw error;
  };
  limited.timeLimitMs = 500;
  await runFailing(async () => {}, away);
  limited.timeLimitMs = timeLimitMs;
  await runFailing(failWith(engineBroke('The engine had a hiccup.')));
  await runFailing(failWith(new TypeError('a mistake in the server')));
  assert.equal(await failedMs(account.id), 0);
  await runFailing(failWith(cannotMake('No face was found.')));
  const refusedMs = await failedMs(account.id);
  assert.ok(refusedMs >= 2);
  await runFailing(failWith(engineUnfit('This needed more memory than the server allows and was stopped.')));
  assert.ok((await failedMs(account.id)) > refusedMs);
});

test('a folder that cannot be removed discards no finished result', async () => {
  const account = await storedAccount(storage.db);
  const scratchDir = join(config.dataDir, 'blocked');
  // A file in place of the folder above it: as on Windows while somebody has a file open, it cannot be removed.
  const blobs: Blobs = {
    ...storage.blobs,
    async put(key, bytes) {
      await storage.blobs.put(key, bytes);
      rmSync(scratchDir, { recursive: true });
      writeFileSync(scratchDir, '');
    },
  };
  const { id, family } = await queuedJob(storage.db, storage.queue, account.id);
  await runJob({ ...parts, blobs, scratchDir }, (await storage.queue.claim([{ family }]))!, never);
  assert.equal((await row(id)).state, 'completed');
});

test('a job that cannot complete is set aside: failed, refunded, published, without its photos and its result', async () => {
  const account = await storedAccount(storage.db);
  const photo = 'inputs/00/01890000-0000-7000-8000-00000000abcd-0';
  await storage.blobs.put(photo, Buffer.from('a photo'));
  const { id, family } = await queuedJob(storage.db, storage.queue, account.id, {
    inputs: JSON.stringify([photo]),
  });
  const changes = createChanges();
  const published: string[] = [];
  for (const topic of [id, account.id]) changes.subscribe(topic, () => published.push(topic));
  const outcomes: unknown[] = [];
  const metrics = { ...noJobMetrics, ended: (_: unknown, outcome: unknown) => outcomes.push(outcome) };
  const onCompleted = async () => {
    throw new Error('the row of the event is broken');
  };
  const refusing = { ...parts, changes, metrics, jobHooks: { ...noJobHooks, onCompleted } };
  const claim = (await storage.queue.claim([{ family }]))!;
  await runJob(refusing, claim, never);
  const { state, error } = await row(id);
  assert.deepEqual(
    { state, error, outcomes },
    {
      state: 'failed',
      error: 'Something went wrong on the server while making this.',
      outcomes: ['failed'],
    },
  );
  assert.equal(await balance(account.id), 100);
  assert.deepEqual([...new Set(published)].sort(), [id, account.id].sort());
  assert.equal(await storage.blobs.read(photo), undefined);
  assert.equal(await storage.blobs.read(resultKeyOf(id, claim.token, 'image/png')), undefined);
});

test('a job that is enqueued at any moment of a poll is asked for at once', async (t) => {
  // Between every two steps of a poll that finds nothing.
  for (let steps = 0; steps < 40; steps++) {
    let enqueued = () => {};
    let asked = 0;
    const queue: Queue = {
      ...storage.queue,
      async claim() {
        asked++;
        return undefined;
      },
      onEnqueued(listener) {
        enqueued = listener;
        return () => {};
      },
    };
    const worker = startWorker({ ...parts, queue }, 1);
    t.after(() => worker.stop(0));
    await until(async () => asked > 0);
    await nextTurn();
    enqueued();
    for (let step = 0; step < steps; step++) await null;
    const before = asked;
    enqueued();
    await nextTurn();
    await nextTurn();
    assert.ok(asked > before, `not asked after ${steps} steps`);
  }
});

test('a claim whose loss cannot be looked into is not taken for a cancelled job', async (t) => {
  const account = await storedAccount(storage.db);
  const job = await queuedJob(storage.db, storage.queue, account.id);
  const changes = createChanges();
  const lost = Promise.withResolvers<string>();
  const queue = { ...storage.queue, heartbeat: async () => false };
  const db = { ...storage.db, one: () => Promise.reject(new Error('the database is away')) };
  const heartbeat = startHeartbeat({ db, queue, changes, log }, { job, token: 0 }, lost.resolve);
  t.after(() => heartbeat.stop());
  changes.publish(job.id);
  assert.equal(await lost.promise, 'taken-over');
  await fail(parts, { job, token: job.claim }, 'over');
});

test('a run whose job another worker has ended meanwhile is not taken for a cancelled one', async () => {
  const account = await storedAccount(storage.db);
  const engine = Object.assign(testEngine(), { runsHere: true });
  const changes = createChanges();
  const { family } = await queuedJob(storage.db, storage.queue, account.id);
  const late = (await storage.queue.claim([{ family }]))!;
  engine.before = async (_, { signal }) => {
    await storage.db.transaction((tx) => storage.queue.requeue(tx, late, 0, 'loss'));
    await fail(parts, (await storage.queue.claim([{ family }]))!, 'over');
    changes.publish(late.job.id);
    await until(async () => signal.aborted);
    signal.throwIfAborted();
  };
  await runJob({ ...parts, changes, engines: [engine] }, late, never);
  assert.equal(await failedMs(account.id), 0);
});

test('a job whose row cannot be read ends with a sentence, its credits and a dead letter that says why', async () => {
  const account = await storedAccount(storage.db);
  const { id, family } = await queuedJob(storage.db, storage.queue, account.id, {
    params: JSON.stringify({ prompt: 7, ratio: 'portrait' }),
  });
  await runJob(parts, (await storage.queue.claim([{ family }]))!, never);
  const { state, error } = await row(id);
  assert.deepEqual(
    { state, error },
    { state: 'failed', error: 'The server can no longer read this job. Submit it again.' },
  );
  assert.equal(await balance(account.id), 100);
  const letters = await storage.db.all(listDeadLetters, { limit: 10 });
  assert.match(letters.find((letter) => letter.job_id === id)!.reason, /prompt/);
});

test('a run is logged and measured by its job, family, engine and times, and by nothing of the guest', async () => {
  const account = await storedAccount(storage.db);
  const { id, family } = await queuedJob(storage.db, storage.queue, account.id);
  const lines: Record<string, unknown>[] = [];
  const measured: unknown[][] = [];
  const observed: RunParts = {
    ...parts,
    log: pino({ level: 'info', base: null }, { write: (line) => lines.push(JSON.parse(line)) }),
    metrics: {
      claimed: (...values) => measured.push(['claimed', ...values]),
      ended: (...values) => measured.push(['ended', ...values]),
      attempted: (attempt) => measured.push(['attempted', attempt]),
    },
  };
  await runJob(observed, (await storage.queue.claim([{ family }]))!, never);
  assert.deepEqual(
    lines.map(({ msg, job, engine }) => [msg, job, engine]),
    [
      ['job claimed', id, undefined],
      ['job completed', id, 'test'],
    ],
  );
  assert.deepEqual(Object.keys(lines[1]!), [
    'level',
    'time',
    'job',
    'family',
    'engine',
    'waited_ms',
    'ran_ms',
    'msg',
  ]);
  assert.deepEqual(
    measured.map((values) => values.filter((value) => typeof value === 'string')),
    [
      ['claimed', 'self_prompt_v2'],
      ['ended', 'self_prompt_v2', 'completed'],
    ],
  );
  assert.doesNotMatch(JSON.stringify(lines), /on a mountain/);
});
