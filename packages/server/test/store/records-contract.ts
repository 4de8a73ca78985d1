import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAccount } from '../../src/accounts/accounts.ts';
import { createCredential } from '../../src/accounts/keys.ts';
import { hashSecret } from '../../src/accounts/secrets.ts';
import { startSession } from '../../src/accounts/sessions.ts';
import { charge, chargeBudgets, grant, refund, refundOnce } from '../../src/credits/ledger.ts';
import { newId } from '../../src/ids.ts';
import {
  findAccount,
  findAccountByEmail,
  insertAccount,
  revokeCredential,
  touchCredential,
} from '../../src/store/account-records.ts';
import { countKeys, findKey, listKeys, updateKey } from '../../src/store/accounts/key-records.ts';
import {
  deleteOldestSessions,
  deleteSession,
  deleteSessionsOf,
  findCallerBySession,
  findSignInLink,
  insertSignInLink,
  listSessions,
  purgeSessions,
  purgeSignInLinks,
  rotateSession,
  takeSignInLink,
  touchSession,
} from '../../src/store/accounts/session-records.ts';
import type { Db } from '../../src/store/db.ts';
import { failedTimeOf, insertFailedRun, purgeFailedRuns } from '../../src/store/failed-run-records.ts';
import {
  clearSafeFilter,
  deleteVersionsBefore,
  findAlias,
  findVersion,
  findVersionOfBlob,
  insertAlias,
  insertCustomFilter,
  insertVersion,
  listAliasesOfFilter,
  listVersions,
  lockAlias,
  lockCustomFilterToChange,
  setAliasDraft,
  setReady,
  updateAlias,
  updateCustomFilter,
} from '../../src/store/filter-records.ts';
import { findIdempotency, insertIdempotency } from '../../src/store/idempotency-records.ts';
import {
  completeJob,
  countJobs,
  deleteJob,
  failJob,
  findJobById,
  insertJob,
  listExpiredJobs,
  purgeJobs,
} from '../../src/store/job-records.ts';
import { listEntries, unbalancedAccounts } from '../../src/store/ledger-records.ts';
import { acquireMaintenanceLock } from '../../src/store/maintenance-lock.ts';
import {
  claimRenderOf,
  countTestsOf,
  deleteRender,
  endTest,
  findRender,
  insertDraft,
  insertRender,
  purgeTests,
  releaseRender,
  testLimitMs,
} from '../../src/store/render-records.ts';
import {
  countRunningJobsOf,
  listAliasIdsSince,
  listCustomFiltersSince,
  listEndedJobsSince,
  queueOfAccount,
} from '../../src/store/reports/change-records.ts';
import {
  listFailedJobs,
  listJobsBetween,
  listJobsOfFamily,
  listJobsOfFilter,
  listJobsOfKey,
  listQueuedJobs,
  listRunningJobs,
} from '../../src/store/reports/job-list-records.ts';
import {
  dayMs,
  keepUsageOfJob,
  keepUsageOfPurgedJobs,
  listFormerUsage,
  purgeFormerUsage,
  sumJobs,
} from '../../src/store/reports/usage-records.ts';
import type { RenderRow } from '../../src/store/schema.ts';
import { findSetting, insertSetting, putSetting } from '../../src/store/settings.ts';
import { statement } from '../../src/store/statement.ts';
import {
  accountsWithDueDeliveries,
  claimDelivery,
  completeDelivery,
  deleteDeliveriesOf,
  dueDeliveriesOf,
  findDelivery,
  insertDelivery,
  leasedDeliveries,
  retryDelivery,
} from '../../src/store/webhooks/delivery-records.ts';
import {
  enableEndpoint,
  findEndpoint,
  recordFailure,
  recordSuccess,
} from '../../src/store/webhooks/endpoint-records.ts';
import { waitingJob } from '../jobs/queued-job.ts';
import { testEventRecords } from './event-records-contract.ts';
import { testLeases } from './lease-contract.ts';
import { testQaRecords } from './qa-records-contract.ts';

const ageRender = statement((db, p: { ms: number }) =>
  db.updateTable('renders').set((eb) => ({ created_at: eb('created_at', '-', p.ms) })),
);

/** What every implementation of `Db` must do. `make` gives an empty one. */
export function testRecords(name: string, make: () => Promise<{ db: Db; close(): Promise<void> }>): void {
  describe(`records: ${name}`, () => {
    let parts: Awaited<ReturnType<typeof make>>;
    let db: Db;
    before(async () => {
      parts = await make();
      db = parts.db;
    });
    after(() => parts.close());

    let emails = 0;
    const account = (credits = 100) =>
      createAccount(db, { email: `records${++emails}@example.com`, credits });
    const balance = async (id: string) => (await db.one(findAccount, { id }))!.balance;

    test('a row comes back as it went in: whole numbers, fractions, nulls, text of every kind', async () => {
      const { id } = await account();
      const job = {
        ...waitingJob(id),
        progress: 0.123456789,
        expires_at: Number.MAX_SAFE_INTEGER,
        params: JSON.stringify({ prompt: 'Zoë 👩‍🚀 "quoted" \\ \u0000 \ud800 %s $1 ?' }),
        error: 'line\nbreak',
      };
      const { turn } = (await db.one(insertJob, job))!;
      const { weight, ...row } = { ...job, turn };
      assert.equal(weight, 1);
      assert.deepEqual(await db.one(findJobById, { id: job.id }), row);
    });

    test('what is not there is undefined, and an empty list', async () => {
      assert.equal(await db.one(findJobById, { id: 'nothing' }), undefined);
      assert.deepEqual(
        await db.all(listJobsBetween, { account_id: 'nobody', since: '', before: '~', limit: 10 }),
        [],
      );
    });

    test('the time of failed runs is added up by account, once for each claim, and forgotten after a while', async () => {
      const [account_id, window_ms] = [newId(), 60_000];
      const timeOf = (of: string, within = window_ms) =>
        db.one(failedTimeOf, { account_id: of, window_ms: within });
      assert.deepEqual(await timeOf(account_id), { engine_ms: 0, oldest_ms: 0 });
      for (const [job_id, claim] of [
        ['a', 1],
        ['a', 1],
        ['a', 3],
        ['b', 1],
      ] as const) {
        await db.run(insertFailedRun, { job_id: account_id + job_id, claim, account_id, engine_ms: 700 });
      }
      const time = (await timeOf(account_id))!;
      assert.equal(time.engine_ms, 2100);
      assert.ok(time.oldest_ms >= 0 && time.oldest_ms < 10_000, `${time.oldest_ms} ms`);
      assert.equal((await timeOf(newId()))!.engine_ms, 0);
      await db.run(purgeFailedRuns, { window_ms });
      assert.equal((await timeOf(account_id))!.engine_ms, 2100);
      await db.run(purgeFailedRuns, { window_ms: 0 });
      assert.equal((await timeOf(account_id))!.engine_ms, 0);
    });

    test('lists by family, filter, key and state have the jobs that fit, between two ids, newest first', async () => {
      const account_id = (await account()).id;
      const fields = [
        { family: 'face_swap_v6', filter_ref: '1', key_id: null, state: 'failed' },
        { family: 'face_swap_v6', filter_ref: '2', key_id: 'k', state: 'queued' },
        { family: 'multi_swap_v5', filter_ref: '1', key_id: 'k', state: 'running' },
        { family: 'multi_swap_v5', filter_ref: null, key_id: null, state: 'failed' },
      ] as const;
      for (const [i, some] of fields.entries()) {
        const id = `0000000${i}-${account_id.slice(-12)}`;
        await db.run(insertJob, { ...waitingJob(account_id), ...some, id });
      }
      const all = { account_id, since: '', before: '~', limit: 10 };
      const placesOf = (rows: { id: string }[]) => rows.map(({ id }) => Number(id[7]));
      assert.deepEqual(placesOf(await db.all(listJobsBetween, all)), [3, 2, 1, 0]);
      const some = { ...all, since: '00000001', before: '00000003' };
      assert.deepEqual(placesOf(await db.all(listJobsBetween, some)), [2, 1]);
      assert.deepEqual(placesOf(await db.all(listJobsOfFamily, { ...all, family: 'face_swap_v6' })), [1, 0]);
      assert.deepEqual(placesOf(await db.all(listJobsOfFilter, { ...all, filter: '1' })), [2, 0]);
      assert.deepEqual(placesOf(await db.all(listJobsOfKey, { ...all, key_id: 'k' })), [2, 1]);
      assert.deepEqual(placesOf(await db.all(listFailedJobs, all)), [3, 0]);
      assert.deepEqual(placesOf(await db.all(listQueuedJobs, all)), [1]);
      assert.deepEqual(placesOf(await db.all(listRunningJobs, all)), [2]);
      assert.deepEqual(placesOf(await db.all(listRunningJobs, { ...all, before: '00000002' })), []);
    });

    test('usage is the same before and after its jobs are deleted or purged', async () => {
      const account_id = (await account()).id;
      const day = Math.floor(Date.now() / dayMs) - 200;
      const jobs = (['completed', 'completed', 'failed', 'failed'] as const).map((state, i) => {
        const created_at = day * dayMs + i;
        const id = newId(created_at);
        const cancelled = i === 3 ? 1 : 0;
        const costs = { gpu_seconds: 2, cost: 0.25 };
        return {
          ...waitingJob(account_id),
          ...costs,
          id,
          state,
          cancelled,
          created_at,
          expires_at: 1,
          price: 5,
        };
      });
      for (const job of jobs) await db.run(insertJob, job);
      const range = { account_id, after: '', since: '', before: '~', limit: 10 };
      const sums = {
        family: 'self_prompt_v2',
        filter_ref: '',
        key_id: '',
        jobs: 4,
        failed: 2,
        cancelled: 1,
        credits: 10,
        gpu_seconds: 8,
        cost: 1,
      };
      const last = jobs
        .map(({ id }) => id)
        .toSorted()
        .at(-1)!;
      assert.deepEqual(await db.all(sumJobs, range), [{ ...sums, live: 0, last }]);
      assert.deepEqual(
        (await db.all(sumJobs, { ...range, limit: 2 })).map((row) => row.jobs),
        [2],
      );
      await db.run(keepUsageOfJob, { id: jobs[0]!.id, account_id });
      await db.run(deleteJob, { id: jobs[0]!.id, account_id });
      await db.run(keepUsageOfPurgedJobs, { before: 2 });
      await db.run(purgeJobs, { before: 2 });
      assert.deepEqual(await db.all(sumJobs, range), []);
      const days = { account_id, since: day, before: day + 1 };
      assert.deepEqual(await db.all(listFormerUsage, days), [{ ...sums, account_id, day }]);
      await db.run(purgeFormerUsage, { before: day + 1 });
      assert.deepEqual(await db.all(listFormerUsage, days), []);
    });

    test('what has changed since a time: jobs that ended, filters, aliases, and the queue', async () => {
      const account_id = (await account()).id;
      const ended = { ...waitingJob(account_id), state: 'completed' as const, finished_at: 50 };
      const running = { ...waitingJob(account_id), state: 'running' as const };
      const queued = { ...waitingJob(account_id), created_at: 7 };
      for (const job of [ended, running, queued]) await db.run(insertJob, job);
      const since = { account_id, since: 50, limit: 10 };
      assert.deepEqual(
        (await db.all(listEndedJobsSince, since)).map(({ id }) => id),
        [ended.id],
      );
      assert.deepEqual(await db.all(listEndedJobsSince, { ...since, since: 51 }), []);
      assert.deepEqual(await db.all(listCustomFiltersSince, since), []);
      assert.deepEqual(await db.all(listAliasIdsSince, since), []);
      assert.deepEqual(await db.one(queueOfAccount, { account_id }), { waiting: 1, oldest: 7 });
      assert.deepEqual(await db.one(countRunningJobsOf, { account_id }), { running: 1 });
    });

    test('counts are numbers', async () => {
      const before = (await db.one(countJobs, { state: 'queued' }))!.count;
      await db.run(insertJob, waitingJob((await account()).id));
      assert.equal((await db.one(countJobs, { state: 'queued' }))!.count, before + 1);
    });

    test('pages go through ids in the order of their bytes, whatever the language of the server', async () => {
      const { id } = await account();
      const ids = ['a', 'B', '0', 'é', '~', '_', '-'].map((start) => `${start}${newId()}`);
      for (const jobId of ids) await db.run(insertJob, { ...waitingJob(id), id: jobId });
      const byBytes = [...ids].sort((a, b) => Buffer.compare(Buffer.from(b), Buffer.from(a)));
      const listed: string[] = [];
      for (let before = '\u{10ffff}'; ; before = listed.at(-1)!) {
        const page = await db.all(listJobsBetween, { account_id: id, since: '', before, limit: 3 });
        listed.push(...page.map((job) => job.id));
        if (page.length < 3) break;
      }
      assert.deepEqual(listed, byBytes);
    });

    test('a transaction happens as a whole or not at all', async () => {
      const { id } = await account(10);
      const job = waitingJob(id);
      const failed = db.transaction(async (tx) => {
        await charge(tx, id, job.id, 4, 1);
        await tx.run(insertJob, job);
        assert.equal((await tx.one(findAccount, { id }))?.balance, 6);
        throw new Error('after all');
      });
      await assert.rejects(failed, /after all/);
      assert.equal(await balance(id), 10);
      assert.equal(await db.one(findJobById, { id: job.id }), undefined);
      assert.equal((await db.all(listEntries, { account_id: id, before: 2 ** 52, limit: 9 })).length, 1);
    });

    test('nobody sees a transaction before it has happened', async () => {
      const { id } = await account(10);
      await db.transaction(async (tx) => {
        await charge(tx, id, newId(), 4, 1);
        assert.equal(await balance(id), 10);
      });
      assert.equal(await balance(id), 6);
    });

    test('a statement that breaks a rule breaks its transaction, and the next one works', async () => {
      const { id, email } = await account(10);
      const same = {
        id: newId(),
        email,
        password_hash: null,
        balance: 0,
        role: 'account' as const,
        created_at: 1,
      };
      await assert.rejects(db.run(insertAccount, same));
      await assert.rejects(
        db.transaction(async (tx) => {
          await charge(tx, id, newId(), 4, 1);
          await tx.run(insertAccount, same);
        }),
      );
      assert.equal(await balance(id), 10);
      assert.equal((await db.one(findAccountByEmail, { email }))?.id, id);
    });

    test('fifty charges at once on credits for twenty: twenty happen, and the account adds up', async () => {
      const { id } = await account(20);
      const charges = Array.from({ length: 50 }, () =>
        db
          .transaction((tx) => charge(tx, id, newId(), 1, 1))
          .then(
            () => true,
            () => false,
          ),
      );
      assert.equal((await Promise.all(charges)).filter(Boolean).length, 20);
      assert.equal(await balance(id), 0);
      assert.deepEqual(await db.all(unbalancedAccounts, {}), []);
    });

    test('a job is charged once and refunded once', async () => {
      const { id } = await account(10);
      const job = { id: newId(), account_id: id, price: 3, key_id: null, maker_id: null };
      await db.transaction((tx) => charge(tx, id, job.id, 3, 1));
      await assert.rejects(db.transaction((tx) => charge(tx, id, job.id, 3, 1)));
      await db.transaction((tx) => refund(tx, job, 2));
      await assert.rejects(db.transaction((tx) => refund(tx, job, 2)));
      assert.equal(await balance(id), 10);
    });

    test('a budget is spent to its last credit and no further, and a refund gives back to it', async () => {
      const { id } = await account(100);
      const wanted = { kind: 'key', name: 'booth', budget: 10 } as const;
      const { id: key_id } = await createCredential(db, id, wanted);
      const spent = async () => (await db.one(findKey, { id: key_id, account_id: id }))?.spent;
      const job = { id: newId(), account_id: id, price: 3, key_id, maker_id: null };
      const spend = (job_id: string) =>
        db.transaction(async (tx) => {
          await charge(tx, id, job_id, job.price, 1);
          await chargeBudgets(tx, { keyId: key_id }, job.price, 1);
        });
      await spend(job.id);
      const others = await Promise.allSettled(Array.from({ length: 9 }, () => spend(newId())));
      assert.equal(others.filter(({ status }) => status === 'fulfilled').length, 2);
      assert.deepEqual([await spent(), await balance(id)], [9, 91]);
      await db.transaction((tx) => refund(tx, job, 2));
      await db.transaction((tx) => refundOnce(tx, job, 2));
      assert.deepEqual([await spent(), await balance(id)], [6, 94]);
    });

    test('what a key made spends from the budgets of all that it descends from, and gives back to them', async () => {
      const { id } = await account(100);
      const make = async (madeBy: string | null, fields = {}) =>
        (await createCredential(db, id, { kind: 'key', name: 'key', madeBy, ...fields })).id;
      const first = await make(null, { budget: 10 });
      const second = await make(first, { budget: 100 });
      const third = await make(second);
      const linkMaker = await make(first, { budget: 5 });
      const spent = () =>
        Promise.all(
          [first, second, third, linkMaker].map(
            async (key) => (await db.one(findKey, { id: key, account_id: id }))?.spent,
          ),
        );
      const spend = (price: number, payers: { keyId: string | null; makerId?: string | null }) =>
        db.transaction((tx) => chargeBudgets(tx, payers, price, 1));
      await spend(4, { keyId: third });
      assert.deepEqual(await spent(), [4, 4, 4, 0]);
      // Both descend from the first, which pays once.
      await spend(2, { keyId: third, makerId: linkMaker });
      assert.deepEqual(await spent(), [6, 6, 6, 2]);
      await spend(2, { keyId: null, makerId: linkMaker });
      assert.deepEqual(await spent(), [8, 6, 6, 4]);
      for (const payers of [{ keyId: third }, { keyId: second }, { keyId: null, makerId: linkMaker }])
        await assert.rejects(spend(3, payers), { code: 'INSUFFICIENT_CREDITS' });
      assert.deepEqual(await spent(), [8, 6, 6, 4]);
      const job = { id: newId(), account_id: id, price: 2, key_id: third, maker_id: linkMaker };
      await db.transaction((tx) => refund(tx, job, 2));
      assert.deepEqual(await spent(), [6, 4, 4, 2]);
      await db.run(revokeCredential, { id: second, now: 1 });
      await assert.rejects(spend(1, { keyId: third }), { code: 'UNAUTHORIZED' });
      await spend(1, { keyId: null, makerId: linkMaker });
      await assert.rejects(spend(1, { keyId: await make('gone') }), { code: 'UNAUTHORIZED' });
    });

    test('a key is edited from the version that was read, and not after it is revoked', async () => {
      const { id: account_id } = await account();
      const { id } = await createCredential(db, account_id, { kind: 'key', name: 'one' });
      const edit = { id, account_id, name: 'two', budget: 5, expires_at: 9 };
      assert.equal(await db.run(updateKey, { ...edit, version: 1, account_id: 'somebody else' }), 0);
      assert.equal(await db.run(updateKey, { ...edit, version: 1 }), 1);
      assert.equal(await db.run(updateKey, { ...edit, version: 1 }), 0);
      const { name, budget, expires_at, version } = (await db.one(findKey, { id, account_id }))!;
      assert.deepEqual([name, budget, expires_at, version], ['two', 5, 9, 2]);
      const listed = (await db.all(listKeys, { account_id, before: '~', limit: 9 })).map((key) => key.id);
      assert.ok(listed.includes(id));
      assert.deepEqual(listed, [...listed].sort().reverse());
      assert.equal((await db.one(countKeys, { account_id }))?.count, 2);
      await db.run(revokeCredential, { id, now: 1 });
      assert.equal(await db.run(updateKey, { ...edit, version: 2 }), 0);
      assert.equal((await db.one(countKeys, { account_id }))?.count, 1);
    });

    test('the use of a credential is noted once in a while', async () => {
      const { id: account_id } = await account();
      const { id } = await createCredential(db, account_id, { kind: 'key', name: 'one' });
      assert.equal(await db.run(touchCredential, { id, now: 100, before: 40 }), 1);
      assert.equal(await db.run(touchCredential, { id, now: 120, before: 60 }), 0);
      assert.equal(await db.run(touchCredential, { id, now: 161, before: 101 }), 1);
      const session = await startSession(db, account_id, 'browser');
      const before = db.now() + 60_000;
      assert.equal(await db.run(touchSession, { id: session.id, now: before + 1, before }), 1);
      assert.equal(await db.run(touchSession, { id: session.id, now: before + 1, before }), 0);
    });

    test('the secret of a session is replaced by one of several, and the old one is found for a while', async () => {
      const { id: account_id } = await account();
      const row = await startSession(db, account_id, 'browser');
      const [old, next] = [hashSecret(row.secret), newId()];
      const [now, expires_at] = [db.now(), db.now() + 1000];
      const rotation = { previous_hash: old, rotated_at: now, expires_at };
      const rotated = await Promise.all(
        [next, newId(), newId()].map((hash) => db.run(rotateSession, { ...rotation, hash })),
      );
      assert.deepEqual(rotated.sort(), [0, 0, 1]);
      const find = (hash: string, previous_since: number, at = now) =>
        db.one(findCallerBySession, { hash, now: at, previous_since });
      assert.equal((await find(old, now - 1))?.session_id, row.id);
      assert.equal(await find(old, now), undefined);
      assert.equal(await find(old, now - 1, expires_at), undefined);
      const other = await account();
      assert.equal(await db.run(deleteSession, { id: row.id, account_id: other.id }), 0);
      assert.equal(await db.run(deleteSession, { id: row.id, account_id }), 1);
    });

    test('an account keeps its newest sessions, and those that have expired are purged', async () => {
      const [{ id: account_id }, other] = [await account(), await account()];
      const kept = await startSession(db, other.id, 'browser');
      for (let n = 0; n < 3; n++) await startSession(db, account_id, 'browser');
      assert.equal(await db.run(deleteOldestSessions, { account_id, kept: 2 }), 1);
      const count = async (of: string) =>
        (await db.all(listSessions, { account_id: of, before: '~', now: db.now(), limit: 9 })).length;
      assert.equal(await count(account_id), 2);
      assert.equal(await db.run(deleteSessionsOf, { account_id }), 2);
      await db.run(purgeSessions, { now: kept.expires_at - 1 });
      assert.equal(await count(other.id), 1);
      await db.run(purgeSessions, { now: kept.expires_at });
      assert.equal(await count(other.id), 0);
    });

    test('a sign-in link is taken by one of several, in its time', async () => {
      const { id: account_id } = await account();
      const link = { hash: newId(), account_id, expires_at: 100, used_at: null };
      await db.run(insertSignInLink, link);
      assert.equal(await db.one(takeSignInLink, { hash: link.hash, now: 100 }), undefined);
      const takes = Array.from({ length: 5 }, () => db.one(takeSignInLink, { hash: link.hash, now: 99 }));
      const taken = (await Promise.all(takes)).filter((row) => row !== undefined);
      assert.deepEqual(taken, [{ account_id }]);
      assert.equal((await db.one(findSignInLink, { hash: link.hash }))?.used_at, 99);
      assert.equal(await db.run(purgeSignInLinks, { before: 100 }), 1);
      assert.equal(await db.one(findSignInLink, { hash: link.hash }), undefined);
    });

    test('two transactions that take the same accounts in turn both happen', async () => {
      const [one, two] = [await account(10), await account(10)];
      const move = (from: string, to: string) =>
        db.transaction(async (tx) => {
          await charge(tx, from, newId(), 1, 1);
          await new Promise((resolve) => setImmediate(resolve));
          await refund(tx, { id: newId(), account_id: to, price: 1, key_id: null, maker_id: null }, 1);
        });
      for (let n = 0; n < 2; n++) await Promise.all([move(one.id, two.id), move(two.id, one.id)]);
      assert.deepEqual([await balance(one.id), await balance(two.id)], [10, 10]);
    });

    test('only the holder of the claim completes a job, and a job ends once', async () => {
      const { id } = await account();
      const job = { ...waitingJob(id), state: 'running' as const, claim: 3, lease_until: 1 };
      await db.run(insertJob, job);
      const noCosts = { gpu_seconds: 0, cost: 0 };
      const ran = { engine: 'local', run_report: '{"storing":1,"engine":[]}' };
      const end = {
        id: job.id,
        result_key: 'results/a',
        result_notes: '{}',
        ...ran,
        ...noCosts,
        now: 5,
        expires_at: 9,
      };
      assert.equal(await db.run(completeJob, { ...end, claim: 2 }), 0);
      assert.equal(await db.run(completeJob, { ...end, claim: 3 }), 1);
      assert.equal(await db.run(completeJob, { ...end, claim: 3 }), 0);
      assert.equal(await db.run(failJob, { ...end, claim: 3, error: 'no', cancelled: 0 }), 0);
      const expired = await db.all(listExpiredJobs, { now: 9, after_time: 0, after_id: '', limit: 100 });
      assert.ok(expired.some((row) => row.id === job.id));
    });

    test('an idempotency key is taken once, and free again after its time', async () => {
      const { id } = await account();
      const key = { account_id: id, key: 'k', fingerprint: 'f', answer: '{}', expires_at: 100 };
      const taken = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          db.run(insertIdempotency, { ...key, job_id: `job-${n}`, now: 50 }),
        ),
      );
      assert.deepEqual(taken.sort(), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
      assert.equal(
        await db.run(insertIdempotency, { ...key, job_id: 'later', expires_at: 200, now: 100 }),
        1,
      );
      const found = await db.one(findIdempotency, { account_id: id, key: 'k', now: 150 });
      assert.equal(found?.job_id, 'later');
    });

    test('the first value of a setting stays, unless another is put in its place', async () => {
      await db.run(insertSetting, { name: 'word', value: 'first' });
      assert.equal(await db.run(insertSetting, { name: 'word', value: 'second' }), 0);
      assert.equal((await db.one(findSetting, { name: 'word' }))?.value, 'first');
      for (const value of ['third', 'fourth']) {
        await db.run(putSetting, { name: 'word', value });
        assert.equal((await db.one(findSetting, { name: 'word' }))?.value, value);
      }
    });

    test('a maintenance lock is acquired by one of several, and again after it has run out', async () => {
      const acquired = await Promise.all(
        Array.from({ length: 10 }, () => acquireMaintenanceLock(db, 'long', 60_000)),
      );
      assert.equal(acquired.filter(Boolean).length, 1);
      for (let n = 0; n < 2; n++) assert.equal(await acquireMaintenanceLock(db, 'short', 0), true);
    });

    test('an alias shows the name of its filter, and keeps its history', async () => {
      const { id: account_id } = await account();
      const times = { created_at: 1, updated_at: 1 };
      const filter = { id: newId(), account_id, name: 'Lake', definition: '{}', previews: '[]', ...times };
      await db.run(insertCustomFilter, {
        ...filter,
        version: 1,
        note: '',
        filter_type: 'face_swap',
        origin: 'paid',
      });
      const alias = {
        id: newId(),
        account_id,
        ai_filter: filter.id,
        ai_filter_name: 'old name',
        project: 'p',
        draft_number: 0,
      };
      await db.run(insertAlias, { ...alias, history: '[]', version: 1, last_used: null, ...times });
      const found = async () => (await db.one(findAlias, { id: alias.id, account_id }))!;
      assert.equal((await found()).filter_name, 'Lake');
      const change = { ai_filter: 'gone', history: '[{"a":1}]', safe_filter: filter.id, updated_at: 7 };
      await db.run(updateAlias, { ...alias, ...change });
      const { filter_name, history, safe_filter, version, updated_at } = await found();
      assert.deepEqual(
        { filter_name, history, safe_filter, version, updated_at },
        { filter_name: null, history: '[{"a":1}]', safe_filter: filter.id, version: 2, updated_at: 7 },
      );
    });

    test('the draft of an alias is saved and put away, and tells those who follow changes', async () => {
      const { id: account_id } = await account();
      const named = { ai_filter: newId(), ai_filter_name: 'Lake', project: '', history: '[]' };
      const alias = { id: newId(), account_id, ...named };
      const times = { created_at: 1, updated_at: 1, last_used: null };
      await db.run(insertAlias, { ...alias, draft_number: 0, version: 1, ...times });
      const since = { account_id, since: 50, limit: 10 };
      assert.deepEqual(await db.all(listAliasIdsSince, since), []);
      const draft = { id: alias.id, draft_filter: newId(), draft_number: 1, draft_changed_at: 60 };
      await db.run(setAliasDraft, draft);
      const saved = await db.one(findAlias, { id: alias.id, account_id });
      assert.deepEqual(saved, {
        ...alias,
        ...times,
        ...draft,
        filter_name: null,
        safe_filter: null,
        version: 1,
      });
      assert.deepEqual(await db.all(listAliasIdsSince, since), [{ id: alias.id }]);
      await db.run(setAliasDraft, { ...draft, draft_filter: null });
      assert.equal((await db.one(findAlias, { id: alias.id, account_id }))?.draft_filter, null);
    });

    test('the test of a draft is claimed with the draft, counted, and deleted like others', async () => {
      const { id: account_id } = await account();
      const [id, wants, draft] = [newId(), `draft-${newId()}`, '{"definition":{}}'];
      await db.run(insertDraft, { id, filter_id: id, account_id, purpose: 'try', wants, draft });
      assert.equal((await db.one(countTestsOf, { account_id }))?.count, 1);
      const claim = claimRenderOf([wants], 'after');
      const claimed = await db.one(claim, { account_id: '' });
      assert.deepEqual(
        [claimed?.id, claimed?.filter_id, claimed?.purpose, claimed?.draft],
        [id, id, 'try', draft],
      );
      await db.one(deleteRender, { id });
      assert.equal((await db.one(countTestsOf, { account_id }))?.count, 0);
    });

    test('versions of a filter are listed newest first, found by the blobs they name, and deleted up to one', async () => {
      const filter_id = newId();
      for (let version = 1; version <= 4; version++) {
        const definition = `{"kind":"template","image":"templates/${filter_id}-${version}.jpg"}`;
        const texts = { name: 'Lake', definition, previews: '[]', note: '' };
        const row = { filter_id, version, ...texts, created_at: 1, draft: 0 } as const;
        await db.run(insertVersion, row);
      }
      const listed = await db.all(listVersions, { filter_id, before: 4, limit: 2 });
      assert.deepEqual(
        listed.map(({ version }) => version),
        [3, 2],
      );
      const naming = (version: number) =>
        db.one(findVersionOfBlob, { filter_id, pattern: `%templates/${filter_id}-${version}.jpg%` });
      assert.equal((await naming(2))?.version, 2);
      const deleted = await db.all(deleteVersionsBefore, { filter_id, before: 3 });
      assert.equal(deleted.length, 2);
      assert.equal(await naming(2), undefined);
      assert.equal((await db.one(findVersion, { filter_id, version: 3 }))?.name, 'Lake');
    });

    test('a filter is ready for the version that it has, and an edit goes by the version it was read at', async () => {
      const { id: account_id } = await account();
      const times = { created_at: 1, updated_at: 1 };
      const filter = { id: newId(), account_id, name: 'Lake', definition: '{}', note: '', ...times };
      const row = {
        ...filter,
        previews: '[]',
        version: 1,
        filter_type: 'face_swap',
        origin: 'paid',
      } as const;
      await db.run(insertCustomFilter, row);
      const ready = { id: row.id, account_id, ready_by: 'a@b.c', ready_at: 5 };
      assert.equal(await db.run(setReady, { ...ready, version: 2 }), 0);
      assert.equal(await db.run(setReady, { ...ready, version: 1 }), 1);
      assert.equal(await db.run(updateCustomFilter, { ...row, next: 2, note: 'new' }), 1);
      assert.equal(await db.run(updateCustomFilter, { ...row, next: 2, note: 'late' }), 0);
      const found = await db.transaction((tx) =>
        tx.one(lockCustomFilterToChange, { id: row.id, account_id }),
      );
      assert.deepEqual([found?.version, found?.note, found?.ready_at], [2, 'new', 5]);
    });

    test('aliases are found by the filter that they point to or fall back to', async () => {
      const { id: account_id } = await account();
      const [shown, safe] = [newId(), newId()];
      const alias = {
        id: newId(),
        account_id,
        ai_filter: shown,
        ai_filter_name: 'x',
        project: 'p',
        history: '[]',
        draft_number: 0,
      };
      await db.run(insertAlias, { ...alias, version: 1, created_at: 1, updated_at: 1, last_used: null });
      await db.run(updateAlias, { ...alias, safe_filter: safe, updated_at: 2 });
      for (const filter_id of [shown, safe]) {
        const found = await db.all(listAliasesOfFilter, { filter_id, account_id });
        assert.deepEqual(found, [{ id: alias.id, project: 'p' }]);
      }
      await db.run(clearSafeFilter, { filter_id: safe, account_id });
      const locked = await db.transaction((tx) => tx.one(lockAlias, { id: alias.id, account_id }));
      assert.deepEqual([locked?.safe_filter, locked?.version], [null, 3]);
    });

    test('entries are numbered in the order they were made', async () => {
      const { id } = await account(1);
      for (let amount = 2; amount < 6; amount++) await grant(db, id, amount);
      const entries = await db.all(listEntries, { account_id: id, before: 2 ** 52, limit: 3 });
      assert.deepEqual(
        entries.map((entry) => entry.amount),
        [5, 4, 3],
      );
      assert.ok(entries.every((entry) => Number.isSafeInteger(entry.id)));
    });

    const enqueue = async (account_id: string) => {
      const id = newId();
      const row = { id, job_id: newId(), account_id, url: 'http://example.com/', body: '{}' };
      await db.run(insertDelivery, row);
      return id;
    };
    const outcome = { last_status_code: null, last_error: null };

    test('a delivery that is being sent counts as such and is not due until its lease ends', async () => {
      const { id: account_id } = await account();
      const id = await enqueue(account_id);
      const row = (await db.one(claimDelivery, { id, claim: 0 }))!;
      assert.deepEqual([row.attempts, row.due_at], [1, row.lease_until]);
      assert.ok((await db.all(leasedDeliveries, {})).some((leased) => leased.account_id === account_id));
      assert.deepEqual(await db.all(dueDeliveriesOf, { account_id, limit: 9 }), []);
      assert.equal(await db.run(completeDelivery, { ...row, ...outcome }), 1);
      assert.equal((await db.one(findDelivery, { id, account_id }))?.state, 'delivered');
      assert.deepEqual(await db.all(dueDeliveriesOf, { account_id, limit: 9 }), []);
    });

    test('accounts with due deliveries are listed once each, however many they have', async () => {
      const [many, one, later] = [await account(), await account(), await account()];
      for (const { id } of [many, many, many, one]) await enqueue(id);
      const id = await enqueue(later.id);
      await db.run(claimDelivery, { id, claim: 0 });
      await db.run(retryDelivery, { id, claim: 1, wait_ms: 60_000, ...outcome });
      const due = (await db.all(accountsWithDueDeliveries, {})).map((row) => row.account_id);
      assert.deepEqual(
        [many, one, later].map(({ id }) => due.filter((found) => found === id).length),
        [1, 1, 0],
      );
    });

    test('a job may have several deliveries, which are erased with it and no others', async () => {
      const { id: account_id } = await account();
      const to = { account_id, url: 'http://example.com/', body: '{}' };
      const job_id = newId();
      const [end, later, other] = [job_id, newId(), newId()];
      for (const id of [end, later]) await db.run(insertDelivery, { ...to, id, job_id });
      await db.run(insertDelivery, { ...to, id: other, job_id: null });
      assert.equal(await db.run(deleteDeliveriesOf, { job_id }), 2);
      const left = await db.all(dueDeliveriesOf, { account_id, limit: 9 });
      assert.deepEqual(
        left.map(({ id }) => id),
        [other],
      );
    });

    test('an endpoint is disabled by enough failures in a row over enough time, until it is enabled', async () => {
      const { id: account_id } = await account();
      const endpoint = { id: newId(), account_id, url: 'http://example.com/' };
      const fail = async (ms: number) => (await db.one(recordFailure, { ...endpoint, failures: 3, ms }))!;
      const find = async () => (await db.one(findEndpoint, endpoint))!;
      for (let n = 0; n < 3; n++) assert.equal((await fail(60_000)).disabled_at, null);
      await db.run(recordSuccess, endpoint);
      assert.deepEqual([(await find()).failures, (await find()).failing_since], [0, null]);
      for (let n = 0; n < 2; n++) assert.equal((await fail(0)).disabled_at, null);
      const { disabled_at, used_at } = await fail(0);
      // SQLite may ask for the time twice in a statement.
      assert.ok(Math.abs(disabled_at! - used_at!) < 1000, `${disabled_at} and ${used_at}`);
      assert.equal((await fail(0)).disabled_at, disabled_at);
      assert.equal(await db.run(enableEndpoint, { id: endpoint.id, account_id: 'somebody else' }), 0);
      assert.equal(await db.run(enableEndpoint, endpoint), 1);
      assert.deepEqual([(await find()).disabled_at, (await find()).failures], [null, 0]);
    });

    const wants = 'face_swap_v6:prompt';
    const [claimAfter, claimOther] = [claimRenderOf([wants], 'after'), claimRenderOf([wants], 'others')];
    const insert = async (account_id: string, purpose: RenderRow['purpose'], filter_id = newId()) => {
      const id = newId();
      await db.run(insertRender, { id, filter_id, account_id, purpose, wants });
      return id;
    };

    test('renders are claimed in turns between accounts, tests before previews, each by one of several', async () => {
      // Accounts and renders come in the order of their ids, and ids of one millisecond are in no order.
      const [one, two] = [(await account()).id, (await account()).id].sort();
      assert.ok(one && two);
      const previews = [await insert(one, 'preview'), await insert(one, 'preview')].sort();
      const [tried, other] = [await insert(one, 'try'), await insert(two, 'preview')];
      let last = '';
      const claimed: (string | undefined)[] = [];
      for (let n = 0; n < 5; n++) {
        const params = { account_id: last };
        const render = (await db.one(claimAfter, params)) ?? (await db.one(claimOther, params));
        claimed.push(render?.id);
        last = render?.account_id ?? '';
      }
      assert.deepEqual(claimed, [tried, other, ...previews, undefined]);

      const many = await Promise.all(Array.from({ length: 5 }, () => insert(two, 'preview')));
      const claims = Array.from({ length: 10 }, () => db.one(claimAfter, { account_id: '' }));
      const got = (await Promise.all(claims)).flatMap((render) => render?.id ?? []);
      assert.deepEqual(got.sort(), many.sort());
      for (const id of [tried, other, ...previews, ...many]) await db.one(deleteRender, { id });
    });

    test('a render that is handed back is no try, and a test that has ended does not count', async () => {
      const { id: account_id } = await account();
      const id = await insert(account_id, 'try');
      const claim = async () => (await db.one(claimAfter, { account_id: '' }))!;
      assert.equal((await claim()).tries, 1);
      assert.equal(await db.run(releaseRender, { id, claim: 1 }), 1);
      const held = await claim();
      assert.equal(held.tries, 1);
      assert.equal((await db.one(countTestsOf, { account_id }))?.count, 1);
      const result = { result_key: null, result_notes: null, error: 'no' };
      assert.equal(await db.run(endTest, { id, claim: held.claim, ...result }), 1);
      assert.equal((await db.one(countTestsOf, { account_id }))?.count, 0);
      await db.one(deleteRender, { id });
    });

    test('a test that nobody can be waiting for is neither claimed nor counted, and is purged', async () => {
      const { id: account_id } = await account();
      const [tried, preview] = [await insert(account_id, 'try'), await insert(account_id, 'preview')];
      await db.run(ageRender, { ms: testLimitMs + 1 });
      assert.equal((await db.one(countTestsOf, { account_id }))?.count, 0);
      assert.equal((await db.one(claimAfter, { account_id: '' }))?.id, preview);
      assert.equal(await db.run(purgeTests, {}), 1);
      assert.equal(await db.one(findRender, { id: tried }), undefined);
      assert.equal((await db.one(findRender, { id: preview }))?.id, preview);
    });

    testLeases(() => db);
    testQaRecords(() => db);
    testEventRecords(() => db);

    test('scrubbing is allowed at any time', async () => {
      await Promise.all([db.scrub(), db.scrub(), account()]);
    });
  });
}
