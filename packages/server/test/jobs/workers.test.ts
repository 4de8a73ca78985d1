import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import { readConfig } from '../../src/config.ts';
import { type Engine, engineBroke } from '../../src/engines/engine.ts';
import { familiesByEngine } from '../../src/engines/routing.ts';
import { readJobDetail } from '../../src/job-pages/job-detail.ts';
import { createChanges } from '../../src/jobs/changes.ts';
import { fail } from '../../src/jobs/end.ts';
import { noJobHooks } from '../../src/jobs/job-hooks.ts';
import { noJobMetrics } from '../../src/jobs/job-metrics.ts';
import { failJobsWithoutEngine } from '../../src/jobs/no-engine.ts';
import { type RunParts, runJob } from '../../src/jobs/run-job.ts';
import { readSentences, writeNotes } from '../../src/jobs/stored-notes.ts';
import { startWorker } from '../../src/jobs/worker-loop.ts';
import { announce, readWorkers } from '../../src/jobs/worker-registry.ts';
import { noSigner } from '../../src/provenance/result-signer.ts';
import { findAccount } from '../../src/store/account-records.ts';
import { findJobById, type NewJob } from '../../src/store/job-records.ts';
import { leaseMs } from '../../src/store/lease.ts';
import type { MessageBus } from '../../src/store/message-bus.ts';
import type { Claimable, Queue } from '../../src/store/queue.ts';
import { endWorker, purgeWorkers } from '../../src/store/worker-records.ts';
import { decodesHere } from '../support/decode-here.ts';
import { temporaryConfig, until } from '../support/harness.ts';
import { pictureWorkflow } from '../support/remote.ts';
import { door, testEngine } from '../support/test-engine.ts';
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

const engineOf = (...abilities: Engine['abilities'][number][]): Engine => ({ ...testEngine(), abilities });
const row = async (id: string) => (await storage.db.one(findJobById, { id }))!;
const balance = async (id: string) => (await storage.db.one(findAccount, { id }))!.balance;
const minutes = 60_000;
const detail = (id: string, jobId: string) =>
  readJobDetail(storage.db, { id, role: 'account' }, jobId, () => '');

test('a worker is known while it beats, says when it drains, and is gone when it ends', async () => {
  const announcement = await announce(
    { db: storage.db, log },
    [engineOf({ family: 'multi_swap_v4' })],
    3,
    () => 2,
  );
  const [worker] = await readWorkers(storage.db);
  assert.deepEqual(
    { places: worker?.concurrency, running: worker?.running, draining: worker?.draining },
    { places: 3, running: 2, draining: false },
  );
  assert.deepEqual(familiesByEngine(worker!.engines), [{ name: 'test', families: ['multi_swap_v4'] }]);
  assert.deepEqual(await readWorkers(storage.db, Date.now() + leaseMs + 1), []);
  await announcement.drain();
  assert.equal((await readWorkers(storage.db))[0]?.draining, true);
  await announcement.end();
  assert.deepEqual(await readWorkers(storage.db), []);
});

test('jobs that no live worker makes are ended with their credits returned, but not while there is no worker', async () => {
  const account = await storedAccount(storage.db);
  const old = await queuedJob(storage.db, storage.queue, account.id, {
    created_at: Date.now() - 6 * minutes,
  });
  assert.equal(await failJobsWithoutEngine(parts), 0);
  const other = await announce({ db: storage.db, log }, [engineOf({ family: 'multi_swap_v4' })], 1, () => 0);
  const young = await queuedJob(storage.db, storage.queue, account.id);
  assert.equal(await failJobsWithoutEngine(parts), 1);
  const { state, error } = await row(old.id);
  assert.deepEqual(
    { state, error },
    { state: 'failed', error: 'This server has no engine for this kind of job yet.' },
  );
  assert.equal((await row(young.id)).state, 'queued');
  assert.equal(await balance(account.id), 98);
  const maker = await announce({ db: storage.db, log }, [engineOf({ family: 'self_prompt_v2' })], 1, () => 0);
  assert.equal(await failJobsWithoutEngine(parts, Date.now() + 10_000), 0);
  await other.end();
  await maker.end();
  await runJob(parts, (await storage.queue.claim([{ family: young.family }]))!, never);
});

/** A job of a family that two kinds of workers share, one for scenes and one for workflows. */
const workflowJob = (accountId: string, fields: Partial<NewJob> = {}) =>
  queuedJob(storage.db, storage.queue, accountId, {
    family: 'face_swap_v6',
    params: JSON.stringify({ gender: 1, ratio: 'portrait' }),
    filter: JSON.stringify(pictureWorkflow()),
    ...fields,
  });
const sceneEngine = () => engineOf({ family: 'face_swap_v6', kinds: ['scene'] });
const workflowEngine = () => engineOf({ family: 'face_swap_v6', kinds: ['workflow'] });

test('while the worker that makes a kind of filter restarts, its jobs wait and no other worker claims them', async () => {
  const account = await storedAccount(storage.db);
  const waiting = [await workflowJob(account.id), await workflowJob(account.id)];
  const scene = await workflowJob(account.id, {
    filter: JSON.stringify({ kind: 'scene', scene: 'aurora' }),
  });
  const gone = await announce({ db: storage.db, log }, [workflowEngine()], 1, () => 0);
  await gone.drain();
  await gone.end();
  const other = startWorker({ ...parts, engines: [sceneEngine()] }, 1);
  await until(async () => (await row(scene.id)).state === 'completed');
  await other.stop(0);
  for (const { id } of waiting) {
    const { state, claim, retries, losses } = await row(id);
    assert.deepEqual({ state, claim, retries, losses }, { state: 'queued', claim: 0, retries: 0, losses: 0 });
    assert.deepEqual((await detail(account.id, id)).waiting, { needs: 'engine', expected_seconds: null });
  }
  const returned = await announce({ db: storage.db, log }, [workflowEngine()], 1, () => 0);
  assert.equal((await detail(account.id, waiting[0]!.id)).waiting?.needs, 'slot');
  await returned.end();
  const back = startWorker({ ...parts, engines: [workflowEngine()] }, 1);
  for (const { id } of waiting) await until(async () => (await row(id)).state === 'completed');
  await back.stop(0);
  assert.equal(await balance(account.id), 94);
  assert.equal((await detail(account.id, waiting[0]!.id)).waiting, null);
});

test('a restart of any of the workers fails nothing: jobs wait for those that make them, however long others are there', async () => {
  const account = await storedAccount(storage.db);
  const engines = [sceneEngine(), workflowEngine(), engineOf({ family: 'self_prompt_v2' })];
  const start = async (engine: Engine) => {
    const announcement = await announce({ db: storage.db, log }, [engine], 1, () => 0);
    const worker = startWorker({ ...parts, engines: [engine] }, 1);
    return async () => {
      await announcement.drain();
      await worker.stop(0);
      await announcement.end();
    };
  };
  const stops = await Promise.all(engines.map(start));
  for (let subset = 1; subset < 2 ** engines.length; subset++) {
    const restarted = engines.map((_, i) => i).filter((i) => (subset >> i) % 2 === 1);
    await Promise.all(restarted.map((i) => stops[i]!()));
    // They were accepted long ago: only a worker that was there less than five minutes ago keeps them waiting.
    const created_at = Date.now() - 6 * minutes;
    const jobs = [
      await workflowJob(account.id, {
        created_at,
        filter: JSON.stringify({ kind: 'scene', scene: 'aurora' }),
      }),
      await workflowJob(account.id, { created_at }),
      await queuedJob(storage.db, storage.queue, account.id, { created_at }),
    ];
    assert.equal(await failJobsWithoutEngine(parts), 0);
    for (const i of restarted) stops[i] = await start(engines[i]!);
    for (const { id } of jobs) await until(async () => (await row(id)).state === 'completed');
  }
  await Promise.all(stops.map((stop) => stop()));
});

test('a job that was accepted without its needs is claimed once by a worker that does not make it, which reads no photo', async () => {
  const account = await storedAccount(storage.db);
  const inputs = JSON.stringify(['inputs/00/01890000-0000-7000-8000-000000000000-0']);
  const { id } = await workflowJob(account.id, { inputs, filter_kind: null, photo_count: null });
  const opened: string[] = [];
  const blobs = {
    ...storage.blobs,
    open(key: string) {
      opened.push(key);
      return storage.blobs.open(key);
    },
  };
  const here = { ...parts, blobs, engines: [sceneEngine()] };
  const { abilities } = here.engines[0]!;
  await runJob(here, (await storage.queue.claim(abilities))!, never);
  const { state, retries, losses, filter_kind, photo_count } = await row(id);
  assert.deepEqual(
    { state, retries, losses, filter_kind, photo_count },
    { state: 'queued', retries: 0, losses: 0, filter_kind: 'workflow', photo_count: 1 },
  );
  assert.deepEqual(opened, []);
  assert.equal(await storage.queue.claim(abilities), undefined);
  const claim = (await storage.queue.claim(workflowEngine().abilities))!;
  assert.equal(claim.job.id, id);
  await fail(parts, claim, 'over');
});

test('a worker that is alone fails what none of its engines makes, at once', async () => {
  const account = await storedAccount(storage.db);
  const { id } = await workflowJob(account.id);
  const alone = startWorker({ ...parts, isAlone: true, engines: [sceneEngine()] }, 1);
  await until(async () => (await row(id)).state === 'failed');
  await alone.stop(0);
  assert.equal((await row(id)).error, 'This server has no engine for this kind of job yet.');
  assert.equal(await balance(account.id), 100);
});

test('a kind of filter that no worker makes waits five minutes from the last one that did, though others make its family', async () => {
  const account = await storedAccount(storage.db);
  await storage.db.run(purgeWorkers, { before: Date.now() });
  const other = await announce({ db: storage.db, log }, [sceneEngine()], 1, () => 0);
  const maker = await announce({ db: storage.db, log }, [workflowEngine()], 1, () => 0);
  const { id: makerId } = (await readWorkers(storage.db)).find(({ engines }) =>
    engines.some(({ abilities }) => abilities[0]?.kinds?.includes('workflow')),
  )!;
  const { id } = await workflowJob(account.id, { created_at: Date.now() - 6 * minutes });
  assert.equal(await failJobsWithoutEngine(parts), 0);
  await maker.end();
  assert.equal((await readWorkers(storage.db)).length, 1);
  assert.equal(await failJobsWithoutEngine(parts), 0);
  await storage.db.run(endWorker, { id: makerId, beat_at: Date.now() - 6 * minutes });
  assert.equal(await failJobsWithoutEngine(parts), 1);
  assert.equal((await row(id)).error, 'This server has no engine for this kind of job yet.');
  assert.equal(await balance(account.id), 100);
  await other.end();
});

test('the servers that a job was with are kept over its runs, and those that did not make it are in the log', async () => {
  const account = await storedAccount(storage.db);
  const lines: { msg: string; server?: string; cause?: string }[] = [];
  const warned = pino(
    { level: readConfig({}).logLevel },
    { write: (line) => void lines.push(JSON.parse(line)) },
  );
  const engine = testEngine();
  const causes = ['the disk of the GPU server is full', null];
  engine.before = async (_, context) => {
    const cause = causes.shift()!;
    context.attempted?.({ server: cause === null ? 'b:1' : 'a:1', cause });
    if (cause !== null) throw engineBroke('The GPU could not finish this job.', new Error(cause));
  };
  const { id, family } = await queuedJob(storage.db, storage.queue, account.id);
  const here = { ...parts, engines: [engine], log: warned };
  await runJob(here, (await storage.queue.claim([{ family }]))!, never);
  await runJob(here, await until(() => storage.queue.claim([{ family }])), never);
  const detail = await readJobDetail(storage.db, { id: account.id, role: 'operator' }, id, () => '');
  const [first] = detail.attempts!;
  assert.deepEqual(
    detail.attempts!.map(({ server, cause }) => [server, cause]),
    [
      ['a:1', 'the disk of the GPU server is full'],
      ['b:1', null],
    ],
  );
  assert.deepEqual([detail.status, detail.cause], ['COMPLETED', null]);
  assert.ok(Date.now() - Date.parse(first!.at) < 60_000);
  const told = lines.filter(({ msg }) => msg === 'a server did not make a job');
  assert.deepEqual(
    told.map(({ server, cause }) => [server, cause]),
    [['a:1', 'the disk of the GPU server is full']],
  );
});

test('a worker at capacity does not ask the queue for jobs of no family', async () => {
  const account = await storedAccount(storage.db);
  const engine = testEngine();
  const gate = door();
  engine.before = gate.work;
  const asked: (readonly Claimable[])[] = [];
  const queue: Queue = {
    ...storage.queue,
    claim(claimable) {
      asked.push(claimable);
      return storage.queue.claim(claimable);
    },
  };
  const { id } = await queuedJob(storage.db, storage.queue, account.id);
  const worker = startWorker({ ...parts, queue, engines: [engine] }, 1);
  await gate.reached;
  gate.open();
  await until(async () => (await row(id)).state === 'completed');
  await worker.stop(0);
  assert.ok(asked.length > 0);
  assert.deepEqual(
    asked.filter((claimable) => claimable.length === 0),
    [],
  );
});

test('changes are published to other processes, many in one message, and not twice to one’s own', async () => {
  const messages: string[] = [];
  const listeners = new Set<(message: string) => void>();
  const bus: MessageBus = {
    async publish(message) {
      messages.push(message);
      for (const listener of listeners) listener(message);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {},
  };
  const [here, there] = [createChanges(bus), createChanges(bus)];
  const notified = { here: 0, there: 0 };
  here.subscribe('job-7', () => notified.here++);
  there.subscribe('job-7', () => notified.there++);
  for (let n = 0; n < 300; n++) here.publish(`job-${n}`);
  await until(async () => notified.there > 0);
  assert.deepEqual(notified, { here: 1, there: 1 });
  assert.equal(messages.length, 2);
  assert.ok(messages.every((message) => Buffer.byteLength(message) <= 8000));
});

test('notes are stored as data and read as sentences; those of earlier versions are sentences already', () => {
  const notes = writeNotes({ applied: [{ kind: 'scene', value: 'Library' }], ignored: [] });
  assert.equal(notes, '{"applied":[{"kind":"scene","value":"Library"}],"ignored":[]}');
  assert.deepEqual(readSentences(notes), { applied: ['scene: Library'], ignored: [] });
  const earlier = { applied: ['scene: Library'], ignored: ['unicorns'] };
  assert.deepEqual(readSentences(JSON.stringify(earlier)), earlier);
  assert.deepEqual(readSentences('{"applied":[],"ignored":[]}'), { applied: [], ignored: [] });
});
