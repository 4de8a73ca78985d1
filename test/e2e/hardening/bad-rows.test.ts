import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openStorage, type Storage } from '@guise/server/app/storage.ts';
import { createChanges } from '@guise/server/jobs/changes.ts';
import { noJobHooks } from '@guise/server/jobs/job-hooks.ts';
import { failJobsWithoutEngine } from '@guise/server/jobs/no-engine.ts';
import { requeueExpired } from '@guise/server/jobs/requeue-expired.ts';
import { sweep } from '@guise/server/jobs/sweep.ts';
import { readWorkers } from '@guise/server/jobs/worker-registry.ts';
import { listDeadLetters } from '@guise/server/store/dead-letters.ts';
import { findJobById, type NewJob } from '@guise/server/store/job-records.ts';
import { appendEntry, credit, unbalancedAccounts } from '@guise/server/store/ledger-records.ts';
import { statement } from '@guise/server/store/statement.ts';
import { upsertWorker } from '@guise/server/store/worker-records.ts';
import { pino } from 'pino';
import { queuedJob } from '../../../packages/server/test/jobs/queued-job.ts';
import {
  startTestServer,
  type TestAccount,
  type TestServer,
} from '../../../packages/server/test/support/harness.ts';
import { startPostgres } from '../../../packages/server/test/support/postgres-server.ts';
import { untilAborted } from '../../../packages/server/test/support/test-engine.ts';

const everyLease = Number.MAX_SAFE_INTEGER;
const day = 24 * 3600_000;
/** Far enough for nobody to claim a job meanwhile. */
const aMinute = 60_000;

/** Puts a job into a worker's hands that is gone, for the last time that it is tried. */
const loseForTheLastTime = statement((db, p: { id: string }) =>
  db.updateTable('jobs').set({ state: 'running', lease_until: 1, losses: 10 }).where('id', '=', p.id),
);
const endLongAgo = statement((db, p: { id: string; inputs: string }) =>
  db
    .updateTable('jobs')
    .set({ state: 'completed', expires_at: 1, inputs: p.inputs, result_key: 'no blob key' })
    .where('id', '=', p.id),
);

/** Rows that cannot be handled as others are: written by an older version, by hand, or by a fault. */
const badRows: Record<string, Partial<NewJob>> = {
  'with U+0000 in its stored webhook URL': {
    params: JSON.stringify({ prompt: 'x', ratio: 'portrait', webhook_url: 'http://example.com/\0' }),
  },
  'whose list of photos is no JSON': { inputs: 'no JSON' },
  'whose photos are no blob keys': { inputs: '["../../etc/passwd", 7]' },
  'whose parameters are no JSON': { params: 'no JSON' },
  'of a family that there is not': { family: 'no_family' },
  'that was refunded before': {},
};

for (const [name, place] of [
  ['SQLite', async () => ({ settings: {}, stop: async () => {} })],
  [
    'PostgreSQL',
    async () => {
      const postgres = await startPostgres();
      return { settings: { databaseUrl: await postgres.database(), demo: false }, stop: postgres.stop };
    },
  ],
] as const)
  describe(`rows that cannot be handled, on ${name}`, () => {
    let server: TestServer;
    let account: TestAccount;
    let storage: Storage;
    let parts: Parameters<typeof requeueExpired>[0];
    let stop: () => Promise<void>;
    before(async () => {
      const { settings, stop: stopPlace } = await place();
      server = await startTestServer(settings);
      // Jobs that a worker claims meanwhile stay with it.
      server.engine.before = untilAborted;
      account = await server.account();
      storage = await openStorage(server.config);
      parts = {
        ...storage,
        changes: createChanges(),
        jobHooks: noJobHooks,
        resultMs: day,
        log: pino({ level: 'silent' }),
      };
      stop = async () => {
        await storage.close();
        await server.stop();
        await stopPlace();
        rmSync(server.config.dataDir, { recursive: true, force: true });
      };
    });
    after(() => stop());

    const row = async (id: string) => storage.db.one(findJobById, { id });
    /** A job that nobody claims, because it is not due. */
    const badJob = async (kind: string) => {
      const job = { run_after: Date.now() + aMinute, ...badRows[kind] };
      const queue = job.family ? { ...storage.queue, enqueue: async () => {} } : storage.queue;
      const { id, price } = await queuedJob(storage.db, queue, account.id, job);
      if (kind === 'that was refunded before') {
        const entry = { account_id: account.id, amount: price, job_id: id, created_at: 1 };
        await storage.db.run(appendEntry, { ...entry, reason: 'refund' });
        await storage.db.run(credit, entry);
      }
      return id;
    };
    const assertBalanced = async () => assert.deepEqual(await storage.db.all(unbalancedAccounts, {}), []);

    test('rows that cannot be handled do not stop the recovery of everybody’s lost jobs', async () => {
      const bad: string[] = [];
      for (const kind of Object.keys(badRows)) bad.push(await badJob(kind));
      for (const id of bad) await storage.db.run(loseForTheLastTime, { id });
      const good = await queuedJob(storage.db, storage.queue, account.id, {
        run_after: Date.now() + aMinute,
      });
      await storage.db.run(loseForTheLastTime, { id: good.id });
      await requeueExpired(parts, everyLease);
      for (const id of [...bad, good.id]) assert.equal((await row(id))?.state, 'failed');
      const letters = await storage.db.all(listDeadLetters, { limit: 100 });
      const reported = letters.map((letter) => letter.job_id);
      for (const id of bad) assert.ok(reported.includes(id));
      await assertBalanced();
    });

    for (const kind of Object.keys(badRows))
      test(`a job ${kind} can be listed, cancelled and deleted`, async () => {
        const [cancelled, erased] = [await badJob(kind), await badJob(kind)];
        assert.equal((await account.call('GET', '/v1/jobs')).status, 200);
        const answer = await account.call('POST', `/v1/jobs/${cancelled}/cancel`);
        assert.deepEqual([answer.status, answer.body.status], [200, 'FAILED']);
        for (const id of [cancelled, erased]) {
          assert.equal((await account.call('DELETE', `/v1/jobs/${id}`)).status, 204);
          assert.equal(await row(id), undefined);
        }
        await assertBalanced();
      });

    test('a worker runs a job whose row is broken once, and ends it', async () => {
      for (const kind of ['with U+0000 in its stored webhook URL', 'whose list of photos is no JSON']) {
        const { id } = await queuedJob(storage.db, storage.queue, account.id, badRows[kind]);
        await account.call('GET', `/v1/jobs/${id}/events`);
        assert.equal((await row(id))?.state, 'failed');
      }
    });

    test('expired rows that name no blobs are emptied, and the sweep goes on', async () => {
      const ids: string[] = [];
      for (const inputs of ['no JSON', '["../../etc/passwd"]', '[]']) {
        const id = await badJob('that was refunded before');
        await storage.db.run(endLongAgo, { id, inputs });
        ids.push(id);
      }
      await sweep(parts, Date.now());
      for (const id of ids) {
        const { params, inputs, result_key } = (await row(id)) ?? {
          params: '{}',
          inputs: '[]',
          result_key: null,
        };
        assert.deepEqual({ params, inputs, result_key }, { params: '{}', inputs: '[]', result_key: null });
      }
    });

    test('a worker whose row cannot be read hides no other worker', async () => {
      const worker = { id: 'broken', host: 'x', pid: 1, concurrency: 1, running: 0, draining: 0 } as const;
      const now = Date.now();
      await storage.db.run(upsertWorker, { ...worker, engines: 'no JSON', started_at: now, beat_at: now });
      assert.ok((await readWorkers(storage.db)).length > 0);
      assert.equal((await account.call('GET', '/ready')).status, 200);
      await failJobsWithoutEngine(parts);
    });
  });
