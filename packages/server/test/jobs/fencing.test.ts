import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { familyOf } from '@guise/contract/families/families.ts';
import { pino } from 'pino';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import type { Config } from '../../src/config.ts';
import { cannotMake, engineBroke } from '../../src/engines/engine.ts';
import { createChanges } from '../../src/jobs/changes.ts';
import { complete, fail } from '../../src/jobs/end.ts';
import { noJobHooks } from '../../src/jobs/job-hooks.ts';
import { noJobMetrics } from '../../src/jobs/job-metrics.ts';
import { requeueExpired } from '../../src/jobs/requeue-expired.ts';
import { type RunParts, runJob } from '../../src/jobs/run-job.ts';
import { noSigner } from '../../src/provenance/result-signer.ts';
import { findAccount } from '../../src/store/account-records.ts';
import { findJobById } from '../../src/store/job-records.ts';
import { listEntries } from '../../src/store/ledger-records.ts';
import type { Claim } from '../../src/store/queue.ts';
import type { JobRow } from '../../src/store/schema.ts';
import { statement } from '../../src/store/statement.ts';
import { caseOf } from '../support/contract-cases.ts';
import { decodesHere } from '../support/decode-here.ts';
import {
  filesBelow,
  startTestServer,
  type TestAccount,
  type TestServer,
  temporaryConfig,
  until,
} from '../support/harness.ts';
import { execute, startPostgres } from '../support/postgres-server.ts';
import { door, type TestEngine, testEngine, untilAborted } from '../support/test-engine.ts';
import { queuedJob, storedAccount } from './queued-job.ts';

const everyLease = Number.MAX_SAFE_INTEGER;
const { family } = caseOf('self_prompt_v2');
const dueNow = statement((db, p: { id: string }) =>
  db.updateTable('jobs').set({ run_after: 0 }).where('id', '=', p.id),
);

/** Where two workers may stand together. */
const installations = {
  SQLite: async () => ({ databaseUrl: '', stop: async () => {} }),
  PostgreSQL: async () => {
    const server = await startPostgres();
    return { databaseUrl: await server.database(), stop: () => server.stop() };
  },
};

for (const [name, install] of Object.entries(installations))
  describe(`two workers on one ${name}`, () => {
    let config: Config;
    let installed: Awaited<ReturnType<typeof install>>;
    const opened: Storage[] = [];
    const never = new AbortController().signal;
    let engine: TestEngine;
    let first: RunParts;
    let second: RunParts;
    let account: Awaited<ReturnType<typeof storedAccount>>;

    const worker = async (): Promise<RunParts> => {
      const storage = await openStorage(config);
      opened.push(storage);
      return {
        ...storage,
        changes: createChanges(),
        jobHooks: noJobHooks,
        resultMs: config.resultMs,
        engines: [engine],
        scratchDir: join(config.dataDir, 'scratch'),
        installationId: '01890000-0000-7000-8000-000000000000',
        signer: noSigner,
        decoder: decodesHere,
        metrics: noJobMetrics,
        log: pino({ level: 'silent' }),
      };
    };
    before(async () => {
      installed = await install();
      config = temporaryConfig({ databaseUrl: installed.databaseUrl });
      engine = testEngine();
      first = await worker();
      second = await worker();
    });
    beforeEach(async () => {
      engine.before = async () => {};
      account = await storedAccount(first.db);
    });
    after(async () => {
      for (const storage of opened) await storage.close();
      await installed.stop();
      rmSync(config.dataDir, { recursive: true, force: true });
    });

    const make = (fields: Partial<JobRow> = {}) => queuedJob(first.db, first.queue, account.id, fields);
    /** A row that pg-boss holds for its upkeep is passed over, so a worker may have to ask again. */
    const take = (parts: RunParts): Promise<Claim> => until(() => parts.queue.claim([{ family }]));
    const row = async (id: string) => (await first.db.one(findJobById, { id }))!;
    const balance = async () => (await first.db.one(findAccount, { id: account.id }))!.balance;
    const amounts = async (id: string) =>
      (await first.db.all(listEntries, { account_id: account.id, before: everyLease, limit: 100 }))
        .filter((entry) => entry.job_id === id)
        .map((entry) => entry.amount)
        .reverse();
    /** Takes a job, loses it to a recovery, and lets the other worker take it. */
    const takenOver = async () => {
      await make();
      const late = await take(first);
      assert.equal(await requeueExpired(second, everyLease), 1);
      const current = await take(second);
      assert.equal(current.job.id, late.job.id);
      assert.ok(current.token > late.token);
      return { late, current };
    };

    test('a claim that was taken over neither completes, fails, renews its lease nor requeues', async () => {
      const { late, current } = await takenOver();
      const before = await row(late.job.id);
      const notes = { applied: [], ignored: [] };
      assert.equal(await complete(first, late, 'results/00/late.b64', notes), 'stopped');
      assert.equal(await fail(first, late, 'late'), false);
      assert.equal(await first.queue.heartbeat(late, 0.5), false);
      assert.equal(
        await first.db.transaction((tx) => first.queue.requeue(tx, late, Date.now(), 'retry')),
        false,
      );
      assert.deepEqual(await row(late.job.id), before);
      assert.equal(await complete(second, current, 'results/00/current.b64', notes), 'completed');
      assert.equal((await row(late.job.id)).result_key, 'results/00/current.b64');
      assert.deepEqual(await amounts(late.job.id), [-2]);
    });

    test('a claim whose job was requeued and not yet claimed again counts for nothing either', async () => {
      await make();
      const late = await take(first);
      await requeueExpired(second, everyLease);
      const before = await row(late.job.id);
      assert.equal(before.state, 'queued');
      assert.equal(await fail(first, late, 'late'), false);
      assert.equal(
        await complete(first, late, 'results/00/late.b64', { applied: [], ignored: [] }),
        'stopped',
      );
      assert.deepEqual(await row(late.job.id), before);
      await runJob(second, await take(second), never);
      assert.equal((await row(late.job.id)).state, 'completed');
      assert.equal(await balance(), 98);
    });

    test('a worker that runs on after its job was taken over leaves the other’s result and removes its own', async () => {
      await make();
      const gate = door();
      engine.before = gate.work;
      const late = await take(first);
      const lateRun = runJob(first, late, never);
      await gate.reached;
      await requeueExpired(second, everyLease);
      engine.before = async () => {};
      await runJob(second, await take(second), never);
      const done = await row(late.job.id);
      assert.equal(done.state, 'completed');
      gate.open();
      await lateRun;
      assert.deepEqual(await row(late.job.id), done);
      const left = readdirSync(join(config.dataDir, 'blobs', 'results'), {
        recursive: true,
        encoding: 'utf8',
      });
      const own = left.filter((name) => name.includes(late.job.id)).map((name) => `results/${name}`);
      assert.deepEqual(own, [done.result_key]);
    });

    test('a retryable error is tried again after 1 s and after 5 s; the third ends the job and returns its credits', async () => {
      const { id } = await make();
      engine.before = async () => {
        throw engineBroke('The engine had a hiccup.');
      };
      for (const [retries, delayMs] of [
        [1, 1000],
        [2, 5000],
      ] as const) {
        const began = first.db.now();
        await runJob(first, await take(first), never);
        const waiting = await row(id);
        assert.equal(waiting.state, 'queued');
        assert.equal(waiting.retries, retries);
        assert.ok(waiting.run_after >= began + delayMs && waiting.run_after <= first.db.now() + delayMs);
        assert.equal(await first.queue.claim([{ family }]), undefined);
        await hurry(id);
      }
      await runJob(first, await take(first), never);
      const failed = await row(id);
      assert.equal(failed.state, 'failed');
      assert.equal(failed.error, 'The engine had a hiccup.');
      assert.deepEqual(await amounts(id), [-2, 2]);
      assert.equal(await balance(), 100);
    });
    /** Lets the time until the retry pass at once. */
    const hurry = async (id: string) => {
      await first.db.run(dueNow, { id });
      if (config.databaseUrl) await execute(config.databaseUrl, 'update pgboss.job set start_after = now()');
    };

    test('an error that is not retryable ends the job at once, and what is no sentence for guests stays inside', async () => {
      for (const [error, sentence] of [
        [cannotMake('No face was found.'), 'No face was found.'],
        [new TypeError('secret path'), 'Something went wrong on the server while making this.'],
      ] as const) {
        const { id } = await make();
        engine.before = async () => {
          throw error;
        };
        await runJob(first, await take(first), never);
        assert.equal((await row(id)).state, 'failed');
        assert.equal((await row(id)).error, sentence);
        assert.deepEqual(await amounts(id), [-2, 2]);
      }
    });

    for (const [name, work] of [
      ['stops when told to', untilAborted],
      ['does not listen', async () => new Promise<never>(() => {})],
    ] as const) {
      test(`the time limit ends a job whose engine ${name}`, async () => {
        const { id } = await make();
        const limited = familyOf(family);
        const { timeLimitMs } = limited;
        limited.timeLimitMs = 100;
        engine.before = work;
        try {
          await runJob(first, await take(first), never);
        } finally {
          limited.timeLimitMs = timeLimitMs;
        }
        const failed = await row(id);
        assert.equal(failed.state, 'failed');
        assert.equal(failed.error, 'The job took longer than it may and was stopped.');
        assert.deepEqual(await amounts(id), [-2, 2]);
      });
    }

    test('a shutdown requeues a running job without counting it, and another worker completes it', async () => {
      const { id } = await make();
      const shutdown = new AbortController();
      engine.before = async (_, context) => {
        shutdown.abort('shutdown');
        await untilAborted(_, context);
      };
      await runJob(first, await take(first), shutdown.signal);
      const waiting = await row(id);
      assert.deepEqual([waiting.state, waiting.retries, waiting.losses], ['queued', 0, 0]);
      engine.before = async () => {};
      await runJob(second, await take(second), never);
      assert.equal((await row(id)).state, 'completed');
    });

    test('a job that has lost its worker 10 times is not tried again, and its credits come back', async () => {
      const { id } = await make();
      for (let losses = 1; losses <= 10; losses++) {
        await take(first);
        await requeueExpired(second, everyLease);
        assert.equal((await row(id)).losses, losses);
      }
      await take(first);
      await requeueExpired(second, everyLease);
      assert.equal((await row(id)).state, 'failed');
      assert.deepEqual(await amounts(id), [-2, 2]);
    });

    test('recovery leaves alone the jobs whose lease has not ended', async () => {
      await make();
      const claim = await take(first);
      assert.equal(await requeueExpired(second, Date.now()), 0);
      assert.equal(await first.queue.heartbeat(claim, 0.5), true);
      await fail(first, claim, 'over');
    });
  });

describe('on a server', () => {
  const { run, status, body, price } = caseOf('face_swap_v6');
  let server: TestServer;
  let account: TestAccount;
  before(async () => {
    server = await startTestServer();
    account = await server.account(100);
  });
  after(() => server.stop());
  beforeEach(() => {
    server.engine.before = async () => {};
  });

  /** What happens while a job runs. */
  const during = (work: TestEngine['before']) => {
    server.engine.before = work;
  };
  const submit = async () => (await account.call('POST', run, body)).body.id as string;
  const filesOf = (id: string) => filesBelow(server.config.dataDir).filter((name) => name.includes(id));
  const refunds = async (id: string) =>
    (await account.call('GET', '/v1/users/me/credits?limit=100')).body.entries.filter(
      (entry: { job_id: string; reason: string }) => entry.job_id === id && entry.reason === 'refund',
    );

  test('a running job that is cancelled is FAILED at once, refunded once, and its engine is told', async () => {
    const told = Promise.withResolvers<void>();
    const gate = door();
    during(async (request, context) => {
      context.signal.addEventListener('abort', () => told.resolve());
      await gate.work(request, context);
    });
    const id = await submit();
    await gate.reached;
    const answer = await account.call('POST', `/v1/jobs/${id}/cancel`);
    assert.equal(answer.status, 200);
    assert.equal(answer.body.status, 'FAILED');
    await told.promise;
    assert.equal((await account.call('POST', `/v1/jobs/${id}/cancel`)).body.status, 'FAILED');
    assert.equal((await refunds(id)).length, 1);
    await until(async () => filesOf(id).length === 0);
  });

  test('an engine that ignores its cancel and finishes later changes nothing and leaves no file', async () => {
    const opened = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<void>();
    during(async () => {
      reached.resolve();
      await opened.promise;
      finished.resolve();
    });
    const credits = await account.credits();
    const id = await submit();
    await reached.promise;
    await account.call('POST', `/v1/jobs/${id}/cancel`);
    opened.resolve();
    await finished.promise;
    await until(async () => filesOf(id).length === 0);
    const after = await account.call('POST', status + id);
    assert.equal(after.body.status, 'FAILED');
    assert.equal(after.body.error, 'The job was cancelled.');
    assert.equal((await refunds(id)).length, 1);
    assert.equal(await account.credits(), credits);
  });

  test('a queued job that is cancelled never runs', async () => {
    const gate = door();
    during(gate.work);
    const busy = [await submit(), await submit()];
    await until(async () => {
      const { jobs } = (await account.call('GET', '/v1/jobs')).body;
      return busy.every((id) => jobs.some((job: { id: string }) => job.id === id)) && running() >= 2;
    });
    const id = await submit();
    const credits = await account.credits();
    assert.equal((await account.call('POST', `/v1/jobs/${id}/cancel`)).body.status, 'FAILED');
    assert.equal(await account.credits(), credits + price);
    gate.open();
    for (const other of busy) {
      const done = await account.call('POST', status + other, undefined, { prefer: 'wait=20' });
      assert.equal(done.body.status, 'COMPLETED');
    }
    assert.ok(!server.engine.requests.some((request) => request.jobId === id));
    assert.deepEqual(filesOf(id), []);

    function running() {
      return server.engine.requests.filter((request) => busy.includes(request.jobId)).length;
    }
  });

  test('erasing a running job leaves no row, no photo, no result, and a refund', async () => {
    const gate = door();
    during(gate.work);
    const credits = await account.credits();
    const id = await submit();
    await gate.reached;
    assert.ok(filesOf(id).length > 0);
    assert.equal((await account.call('DELETE', `/v1/jobs/${id}`)).status, 204);
    assert.equal(await server.db.one(findJobById, { id }), undefined);
    assert.equal((await account.call('POST', status + id)).status, 404);
    assert.equal((await account.call('POST', `/v1/jobs/${id}/cancel`)).status, 404);
    await until(async () => filesOf(id).length === 0);
    gate.open();
    assert.equal((await refunds(id)).length, 1);
    assert.equal(await account.credits(), credits);
  });
});
