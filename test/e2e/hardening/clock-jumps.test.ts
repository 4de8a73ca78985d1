import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCallers } from '@guise/server/accounts/callers.ts';
import { shortenWaits } from '@guise/server/app/maintenance.ts';
import { openStorage } from '@guise/server/app/storage.ts';
import { createChanges } from '@guise/server/jobs/changes.ts';
import { noJobHooks } from '@guise/server/jobs/job-hooks.ts';
import { requeueExpired } from '@guise/server/jobs/requeue-expired.ts';
import { readWorkers } from '@guise/server/jobs/worker-registry.ts';
import { databaseNow } from '@guise/server/store/database-clock.ts';
import { findJobById } from '@guise/server/store/job-records.ts';
import { leaseMs } from '@guise/server/store/lease.ts';
import { acquireMaintenanceLock } from '@guise/server/store/maintenance-lock.ts';
import { postgresClock } from '@guise/server/store/shared/postgres-clock.ts';
import { statement } from '@guise/server/store/statement.ts';
import { dueDeliveriesOf, insertDelivery } from '@guise/server/store/webhooks/delivery-records.ts';
import { pino } from 'pino';
import { queuedJob, storedAccount } from '../../../packages/server/test/jobs/queued-job.ts';
import {
  startTestServer,
  type TestAccount,
  type TestServer,
  temporaryConfig,
  until,
} from '../../../packages/server/test/support/harness.ts';
import {
  execute,
  startPostgres,
  type TestPostgres,
} from '../../../packages/server/test/support/postgres-server.ts';
import { door } from '../../../packages/server/test/support/test-engine.ts';

const hours = 3600_000;
const run = '/v2/run/self-prompt';
const family = 'self_prompt_v2';
let postgres: TestPostgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

const moveToFuture = statement((db, p: { id: string; ms: number }) =>
  db
    .updateTable('jobs')
    .set((eb) => ({ run_after: eb('run_after', '+', p.ms), created_at: eb('created_at', '+', p.ms) }))
    .where('id', '=', p.id),
);
const leaseUntil = statement((db, p: { id: string; at: number }) =>
  db.updateTable('jobs').set({ lease_until: p.at }).where('id', '=', p.id),
);

const putOff = statement((db, p: { id: string; attempts: number; ms: number }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ attempts: p.attempts, due_at: eb(databaseNow(db), '+', p.ms) }))
    .where('id', '=', p.id),
);

for (const [name, place] of [
  ['SQLite', async () => ({})],
  ['PostgreSQL', async () => ({ databaseUrl: await postgres.database(), demo: false })],
] as const)
  describe(`a clock that jumps, on ${name}`, () => {
    let server: TestServer;
    let account: TestAccount;
    let gate: ReturnType<typeof door>;
    before(async () => {
      server = await startTestServer({ ...(await place()), concurrency: 1 });
      account = await server.account();
    });
    beforeEach(() => {
      gate = door();
      server.engine.before = gate.work;
    });
    after(() => server.stop());

    const submit = async () => (await account.call('POST', run, { prompt: 'x' })).body.id as string;
    /** This machine's clock, set to another time for the rest of the test. */
    const setClock = (t: { mock: typeof test.mock }, byMs: number) => {
      const now = Date.now;
      t.mock.method(Date, 'now', () => now() + byMs);
    };
    const end = async (id: string) => {
      const status = `/v2/status/${id}`;
      return (await account.call('POST', status, undefined, { prefer: 'wait=8' })).body.status;
    };

    for (const jump of [-2 * hours, 2 * hours])
      test(`jobs that are queued when the clock is set by ${jump / hours} hours run at once, in their order`, async (t) => {
        const jobs = [await submit(), await submit(), await submit()];
        await gate.reached;
        setClock(t, jump);
        jobs.push(await submit());
        gate.open();
        for (const id of jobs) assert.equal(await end(id), 'COMPLETED');
        const made = server.engine.requests.map(({ jobId }) => jobId).filter((id) => jobs.includes(id));
        assert.deepEqual(made, jobs);
      });

    test('a status call waits for as long as it was asked to when the clock is set back meanwhile', async (t) => {
      const id = await submit();
      const began = performance.now();
      const waiting = account.call('POST', `/v2/status/${id}`, undefined, { prefer: 'wait=1' });
      await gate.reached;
      setClock(t, -2 * hours);
      assert.equal((await waiting).body.status, 'RUNNING');
      assert.ok(performance.now() - began < 15_000);
      gate.open();
      assert.equal(await end(id), 'COMPLETED');
    });

    test('a credential is looked up again when the clock is set back', async (t) => {
      let lookups = 0;
      const one: typeof server.db.one = (statement, params) => {
        lookups++;
        return server.db.one(statement, params);
      };
      const db = { ...server.db, one };
      const { find } = createCallers(db);
      await find(account.api_key);
      setClock(t, -2 * hours);
      await until(async () => {
        await find(account.api_key);
        return lookups === 2;
      }, 8000);
    });
  });

for (const [name, place] of [
  ['SQLite', async () => ({})],
  ['PostgreSQL', async () => ({ databaseUrl: await postgres.database() })],
] as const)
  describe(`times further ahead than they can be, on ${name}`, () => {
    const open = async (t: { after(work: () => Promise<void>): void }) => {
      const config = temporaryConfig(await place());
      const storage = await openStorage(config);
      t.after(async () => {
        await storage.close();
        rmSync(config.dataDir, { recursive: true, force: true });
      });
      const log = pino({ level: 'silent' });
      const { id } = await storedAccount(storage.db);
      const { databaseUrl } = config;
      return {
        ...storage,
        databaseUrl,
        accountId: id,
        changes: createChanges(),
        jobHooks: noJobHooks,
        resultMs: 1,
        log,
      };
    };

    for (const minutes of [5, 120])
      test(`a job that was queued ${minutes} minutes ahead of the clock is due`, async (t) => {
        const parts = await open(t);
        const { id } = await queuedJob(parts.db, parts.queue, parts.accountId);
        await parts.db.run(moveToFuture, { id, ms: minutes * 60_000 });
        // PostgreSQL's own clock was set back: pg-boss has times of its own.
        if (parts.databaseUrl) {
          const later = `update pgboss.job set start_after = now() + interval '${minutes} minutes'`;
          await execute(parts.databaseUrl, later);
        }
        assert.equal((await parts.queue.claim([{ family }]))?.job.id, id);
      });

    test('a webhook whose first attempt is two hours ahead of the clock is due, one that waits for its next is not', async (t) => {
      const { db, accountId } = await open(t);
      const common = { account_id: accountId, url: 'https://example.com/', body: '{}', job_id: null };
      for (const id of ['first', 'second']) await db.run(insertDelivery, { ...common, id });
      await db.run(putOff, { id: 'first', attempts: 0, ms: 2 * hours });
      await db.run(putOff, { id: 'second', attempts: 1, ms: 2 * hours });
      const due = async () => {
        const rows = await db.all(dueDeliveriesOf, { account_id: accountId, limit: 9 });
        return rows.map(({ id }) => id).sort();
      };
      await shortenWaits({ db });
      assert.deepEqual(await due(), ['first']);
      // Further ahead than the longest wait between two attempts.
      await db.run(putOff, { id: 'second', attempts: 1, ms: 13 * hours });
      await shortenWaits({ db });
      assert.deepEqual(await due(), ['first', 'second']);
    });

    test('a lease that ends two hours ahead of the clock has expired', async (t) => {
      const parts = await open(t);
      const { id } = await queuedJob(parts.db, parts.queue, parts.accountId);
      await parts.queue.claim([{ family }]);
      await requeueExpired(parts, parts.db.now());
      assert.equal((await parts.db.one(findJobById, { id }))?.state, 'running');
      await parts.db.run(leaseUntil, { id, at: parts.db.now() + 2 * hours });
      await requeueExpired(parts, parts.db.now());
      assert.equal((await parts.db.one(findJobById, { id }))?.state, 'queued');
    });

    test('a maintenance lock held from two hours ahead of the clock is free', async (t) => {
      const { db } = await open(t);
      assert.equal(
        await acquireMaintenanceLock({ ...db, now: () => db.now() + 2 * hours }, 'sweep', 1000),
        true,
      );
      assert.equal(await acquireMaintenanceLock(db, 'sweep', 1000), true);
      assert.equal(await acquireMaintenanceLock(db, 'sweep', 1000), false);
    });
  });

test('a node whose clock is two hours ahead takes no job from the workers of others', async (t) => {
  const config = temporaryConfig({ databaseUrl: await postgres.database() });
  const right = await openStorage(config);
  const now = Date.now;
  t.mock.method(Date, 'now', () => now() + 2 * hours);
  const ahead = await openStorage(config);
  t.after(async () => {
    await Promise.all([right.close(), ahead.close()]);
    rmSync(config.dataDir, { recursive: true, force: true });
  });
  const { id } = await storedAccount(right.db);
  const job = await queuedJob(right.db, right.queue, id, { run_after: now(), created_at: now() });
  assert.equal((await right.queue.claim([{ family }]))?.job.id, job.id);
  const parts = {
    ...ahead,
    changes: createChanges(),
    jobHooks: noJobHooks,
    resultMs: 1,
    log: pino({ level: 'silent' }),
  };
  assert.equal(await requeueExpired(parts, ahead.db.now()), 0);
  assert.ok(Math.abs(ahead.db.now() - now()) < leaseMs / 3);
  assert.deepEqual(await readWorkers(ahead.db), []);
});

test('SQLite’s own statements have the time that does not go back either', async (t) => {
  const config = temporaryConfig();
  const { db, close } = await openStorage(config);
  t.after(async () => {
    await close();
    rmSync(config.dataDir, { recursive: true, force: true });
  });
  const readNow = statement((builder, _: Record<string, never>) =>
    builder.selectNoFrom([databaseNow(builder).as('now'), databaseNow(builder).as('again')]),
  );
  const before = (await db.one(readNow, {}))!;
  const wall = Date.now;
  t.mock.method(Date, 'now', () => wall() - 2 * hours);
  const set = (await db.one(readNow, {}))!;
  assert.ok(Number.isInteger(set.now) && set.now >= before.now && set.now <= wall() + 1);
  // SQLite asks once for each place where the time is written, in the order of the places.
  assert.ok(set.again >= set.now);
});

test('the time of PostgreSQL makes no step where a slow answer leaves it in doubt, and follows one that is certain', async (t) => {
  let [ahead, slowMs] = [0, 0];
  const clock = postgresClock(async () => {
    await sleep(0.75 * slowMs);
    const time = Date.now() + ahead;
    await sleep(0.25 * slowMs);
    return time;
  });
  t.after(() => clock.stop());
  const offset = () => clock.now() - performance.now();
  // The first answer may be slow by itself, on busy cores.
  for (let i = 0; i < 5; i++) await clock.follow();
  const first = offset();
  slowMs = 200;
  await clock.follow();
  assert.ok(Math.abs(offset() - first) < 20, `moved by ${offset() - first} ms`);
  ahead = 2 * hours;
  await clock.follow();
  assert.ok(Math.abs(offset() - first - ahead) < 500, `moved by ${offset() - first} ms`);
});
