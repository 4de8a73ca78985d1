import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import type { Config } from '../../src/config.ts';
import { type Changes, createChanges } from '../../src/jobs/changes.ts';
import { createJobWaits } from '../../src/jobs/job-waits.ts';
import { readJobAtEnd } from '../../src/jobs/read.ts';
import type { Db } from '../../src/store/db.ts';
import { deleteJob, failJob } from '../../src/store/job-records.ts';
import type { JobRow } from '../../src/store/schema.ts';
import { temporaryConfig, until } from '../support/harness.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { queuedJob, storedAccount } from './queued-job.ts';

const postgres = await startPostgres();
after(() => postgres.stop());

const callers = 1000;
const minute = 60_000;
/** For waits that shall be woken by changes alone. */
const never = 24 * 3600_000;

/** A database that counts what it has answered. */
function counting(db: Db): { db: Db; asked: { one: number; all: number } } {
  const asked = { one: 0, all: 0 };
  return {
    asked,
    db: {
      ...db,
      async one(statement, params) {
        const row = await db.one(statement, params);
        asked.one++;
        return row;
      },
      async all(statement, params) {
        const rows = await db.all(statement, params);
        asked.all++;
        return rows;
      },
    },
  };
}

const stores: Record<string, () => Promise<Partial<Config>>> = {
  SQLite: async () => ({}),
  PostgreSQL: async () => ({ databaseUrl: await postgres.database() }),
};

for (const [store, settings] of Object.entries(stores)) {
  describe(`calls that wait, on ${store}`, () => {
    let config: Config;
    let storage: Storage;
    /** Where the database is shared, jobs are ended by another process: it has connections and changes of its own. */
    let other: Storage;
    let changes: Changes;
    let otherChanges: Changes;
    let account: { id: string };
    before(async () => {
      config = temporaryConfig(await settings());
      storage = await openStorage(config);
      other = config.databaseUrl ? await openStorage(config) : storage;
      changes = createChanges(storage.bus);
      otherChanges = other === storage ? changes : createChanges(other.bus);
      account = await storedAccount(storage.db);
      let heard = false;
      const unsubscribe = changes.subscribe('probe', () => {
        heard = true;
      });
      await until(async () => {
        otherChanges.publish('probe');
        return heard;
      });
      unsubscribe();
    });
    after(async () => {
      await storage.close();
      if (other !== storage) await other.close();
      rmSync(config.dataDir, { recursive: true, force: true });
    });

    const makeJobs = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => queuedJob(storage.db, storage.queue, account.id, { price: 0 })),
      );
    const end = ({ id, claim, expires_at }: JobRow) =>
      other.db.run(failJob, {
        id,
        claim,
        error: 'No.',
        cancelled: 0,
        engine: null,
        now: Date.now(),
        expires_at,
      });
    const waitFor = (
      parts: Parameters<typeof readJobAtEnd>[0],
      id: string,
      signal = new AbortController().signal,
    ) => readJobAtEnd(parts, { accountId: account.id, statusPath: null, id }, minute, signal);

    test('a thousand of them ask the database once when they come and once when their job ends', async () => {
      const { db, asked } = counting(storage.db);
      const waits = createJobWaits({ db, changes }, never);
      const jobs = await makeJobs(10);
      const answers = Array.from({ length: callers }, (_, i) => waitFor({ db, waits }, jobs[i % 10]!.id));
      await until(async () => asked.one === callers);
      for (const job of jobs) {
        await end(job);
        otherChanges.publish(job.id);
      }
      const rows = await Promise.all(answers);
      assert.deepEqual([...new Set(rows.map(({ state }) => state))], ['failed']);
      assert.deepEqual(asked, { one: 2 * callers, all: 0 });
    });

    test('where an event is lost, one statement for all of them finds what has ended', async () => {
      const { db, asked } = counting(storage.db);
      const waits = createJobWaits({ db, changes }, 40);
      const [ended, erased, live] = (await makeJobs(3)) as [JobRow, JobRow, JobRow];
      const answers = Array.from({ length: callers }, () => waitFor({ db, waits }, ended.id));
      const missing = assert.rejects(waitFor({ db, waits }, erased.id), { code: 'JOB_NOT_FOUND' });
      const still = waitFor({ db, waits }, live.id);
      await until(async () => asked.all >= 3);
      assert.equal(asked.one, callers + 2);
      await end(ended);
      await other.db.run(deleteJob, { id: erased.id, account_id: account.id });
      for (const row of await Promise.all(answers)) assert.equal(row.state, 'failed');
      await missing;
      assert.equal(asked.one, 2 * (callers + 1) + 1);
      waits.stop();
      assert.equal((await still).state, 'queued');
    });

    test('one whose caller hangs up ends at once, asks nothing more and leaves no subscription', async () => {
      const { db, asked } = counting(storage.db);
      let subscribed = 0;
      const counted: Changes = {
        ...changes,
        subscribe(topic, listener) {
          subscribed++;
          const unsubscribe = changes.subscribe(topic, listener);
          return () => {
            subscribed--;
            unsubscribe();
          };
        },
      };
      const waits = createJobWaits({ db, changes: counted }, never);
      const [job] = (await makeJobs(1)) as [JobRow];
      const hangUp = new AbortController();
      const answer = waitFor({ db, waits }, job.id, hangUp.signal);
      await until(async () => asked.one === 1);
      assert.equal(subscribed, 1);
      hangUp.abort();
      assert.equal((await answer).state, 'queued');
      assert.deepEqual([subscribed, asked.one], [0, 1]);
    });

    test('all are answered with the current state when the server stops, and later ones at once', async () => {
      const waits = createJobWaits({ db: storage.db, changes }, never);
      const [job] = (await makeJobs(1)) as [JobRow];
      const answers = Array.from({ length: 10 }, () => waitFor({ db: storage.db, waits }, job.id));
      waits.stop();
      answers.push(waitFor({ db: storage.db, waits }, job.id));
      for (const { state } of await Promise.all(answers)) assert.equal(state, 'queued');
    });
  });
}
