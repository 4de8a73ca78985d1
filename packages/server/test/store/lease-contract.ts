import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { newId } from '../../src/ids.ts';
import { createClaimNext, expiredClaims, heartbeat, release } from '../../src/store/claims.ts';
import { databaseNow } from '../../src/store/database-clock.ts';
import type { Db } from '../../src/store/db.ts';
import { insertMail, mails } from '../../src/store/events/mail-records.ts';
import { completeJob, findJobById, insertJob } from '../../src/store/job-records.ts';
import { type Holder, leaseMs } from '../../src/store/lease.ts';
import {
  claimRenderOf,
  endTest,
  findRender,
  insertRender,
  releaseRender,
  renewRender,
} from '../../src/store/render-records.ts';
import { statement } from '../../src/store/statement.ts';
import {
  claimDelivery,
  completeDelivery,
  dueDeliveriesOf,
  findDelivery,
  insertDelivery,
  releaseLostDeliveries,
  retryDelivery,
} from '../../src/store/webhooks/delivery-records.ts';
import { storedAccount, waitingJob } from '../jobs/queued-job.ts';

/** A table of rows that are leased, with what is done to one. The last four are false when the claim is lost. */
interface LeasedTable {
  insert(db: Db, accountId: string): Promise<string>;
  claim(db: Db): Promise<Holder | undefined>;
  /** Takes rows from those whose lease has ended. */
  recover(db: Db): Promise<void>;
  read(db: Db, id: string): Promise<{ claim: number; lease_until: number | null } | undefined>;
  /** Null for rows whose work is shorter than a lease. */
  renew: ((db: Db, holder: Holder) => Promise<boolean>) | null;
  giveBack(db: Db, holder: Holder): Promise<boolean>;
  end(db: Db, holder: Holder): Promise<boolean>;
  moveLease: ReturnType<typeof moveLeaseIn>;
}

const tables: Record<string, () => LeasedTable> = {
  job: jobs,
  render: renders,
  delivery: deliveries,
  mail: eventMails,
};

/** What holds for the lease of every row that has one, on every database. */
export function testLeases(db: () => Db): void {
  for (const [name, describeTable] of Object.entries(tables)) {
    let table: LeasedTable;
    let accountId: string;
    before(async () => {
      accountId = (await storedAccount(db())).id;
      table = describeTable();
    });
    const insert = () => table.insert(db(), accountId);
    const read = async (id: string) => (await table.read(db(), id))!;
    const claim = async (id: string) => {
      const holder = (await table.claim(db()))!;
      assert.equal(holder?.id, id);
      return holder;
    };
    const assertLost = async (holder: Holder) => {
      const before = await read(holder.id);
      if (table.renew) assert.equal(await table.renew(db(), holder), false);
      assert.equal(await table.giveBack(db(), holder), false);
      assert.equal(await table.end(db(), holder), false);
      assert.deepEqual(await read(holder.id), before);
    };

    test(`a ${name} is claimed by one of ten, for ${leaseMs / 1000} s of the database’s clock`, async () => {
      const id = await insert();
      const began = db().now();
      const claims = await Promise.all(Array.from({ length: 10 }, () => table.claim(db())));
      const [holder, ...others] = claims.filter((one) => one !== undefined);
      assert.deepEqual([holder?.id, others], [id, []]);
      const { claim: token, lease_until } = await read(id);
      assert.equal(token, holder!.claim);
      assert.ok(Math.abs(lease_until! - began - leaseMs) < 5000);
      await table.recover(db());
      assert.equal(await table.claim(db()), undefined);
      assert.equal(await table.end(db(), holder!), true);
    });

    test(`a ${name} is held by its last claim alone: renewed, given back once, ended once`, async () => {
      const id = await insert();
      const first = await claim(id);
      if (table.renew) {
        await db().run(table.moveLease, { id, ms: 1000 });
        assert.equal(await table.renew(db(), first), true);
        assert.ok((await read(id)).lease_until! > db().now() + leaseMs / 2);
      }
      assert.equal(await table.giveBack(db(), first), true);
      await assertLost(first);
      const second = await claim(id);
      await assertLost(first);
      assert.equal(await table.end(db(), second), true);
      await assertLost(second);
      assert.equal(await table.claim(db()), undefined);
    });

    test(`a ${name} whose holder is lost is claimed again when its lease has ended`, async () => {
      const id = await insert();
      const lost = await claim(id);
      await db().run(table.moveLease, { id, ms: -1 });
      await table.recover(db());
      const next = await claim(id);
      await assertLost(lost);
      assert.equal(await table.end(db(), next), true);
    });

    test(`a ${name} whose lease was written before the clock was set back is claimed again`, async () => {
      const id = await insert();
      const lost = await claim(id);
      await db().run(table.moveLease, { id, ms: 2 * 3600_000 });
      await table.recover(db());
      const next = await claim(id);
      await assertLost(lost);
      assert.equal(await table.end(db(), next), true);
    });
  }
}

/** Lets a lease end so long from now. */
const moveLeaseIn = (table: 'jobs' | 'renders' | 'webhooks' | 'event_mails') =>
  statement((db, p: { id: string; ms: number }) =>
    db
      .updateTable(table as 'jobs')
      .set((eb) => ({ lease_until: eb(databaseNow(db), '+', p.ms) }))
      .where('id', '=', p.id),
  );

function jobs(): LeasedTable {
  // No other test has jobs of this family.
  const family = `leased-${newId()}`;
  const claimNext = createClaimNext(0);
  const claimOf = async (db: Db, { id, claim }: Holder) => ({
    job: (await db.one(findJobById, { id }))!,
    token: claim,
  });
  const costs = { gpu_seconds: 0, cost: 0 };
  const ended = { result_key: 'results/00/x', result_notes: '{}', engine: null, run_report: null, ...costs };
  return {
    async insert(db, accountId) {
      const job = { ...waitingJob(accountId), family };
      await db.one(insertJob, job);
      return job.id;
    },
    claim: async (db) => (await claimNext(db, [{ family }]))?.job,
    async recover(db) {
      for (const lost of await expiredClaims(db, db.now()))
        if (lost.job.family === family) await release(db, lost, 0, 'loss');
    },
    read: (db, id) => db.one(findJobById, { id }),
    renew: async (db, holder) => heartbeat(db, await claimOf(db, holder), 0.5),
    giveBack: async (db, holder) => release(db, await claimOf(db, holder), 0, 'handover'),
    end: async (db, holder) =>
      (await db.run(completeJob, { ...holder, ...ended, now: 1, expires_at: 2 })) === 1,
    moveLease: moveLeaseIn('jobs'),
  };
}

function renders(): LeasedTable {
  const wants = `leased-${newId()}`;
  const claimNext = claimRenderOf([wants], 'after');
  const ended = { result_key: null, result_notes: null, error: null };
  return {
    async insert(db, account_id) {
      const id = newId();
      await db.run(insertRender, { id, filter_id: newId(), account_id, purpose: 'preview', wants });
      return id;
    },
    claim: (db) => db.one(claimNext, { account_id: '' }),
    recover: async () => {},
    read: (db, id) => db.one(findRender, { id }),
    renew: async (db, holder) => (await db.run(renewRender, holder)) === 1,
    giveBack: async (db, holder) => (await db.run(releaseRender, holder)) === 1,
    end: async (db, holder) => (await db.run(endTest, { ...holder, ...ended })) === 1,
    moveLease: moveLeaseIn('renders'),
  };
}

function deliveries(): LeasedTable {
  let account_id = '';
  const outcome = { last_status_code: null, last_error: null };
  return {
    async insert(db, accountId) {
      account_id = accountId;
      const id = newId();
      await db.run(insertDelivery, { id, job_id: null, account_id, url: 'http://example.com/', body: '{}' });
      return id;
    },
    async claim(db) {
      const [due] = await db.all(dueDeliveriesOf, { account_id, limit: 1 });
      return due && db.one(claimDelivery, due);
    },
    recover: async (db) => void (await db.run(releaseLostDeliveries, {})),
    read: (db, id) => db.one(findDelivery, { id, account_id }),
    renew: null,
    giveBack: async (db, holder) =>
      (await db.run(retryDelivery, { ...holder, ...outcome, wait_ms: 0 })) === 1,
    end: async (db, holder) => (await db.run(completeDelivery, { ...holder, ...outcome })) === 1,
    moveLease: moveLeaseIn('webhooks'),
  };
}

function eventMails(): LeasedTable {
  const event_id = newId();
  const asked = { base_url: '', address: 'a@example.com', language: 'en', consent_at: 1 };
  const again = { state: 'waiting', sentence: null, attempts: 0 } as const;
  return {
    async insert(db, account_id) {
      const id = newId();
      await db.run(insertMail, { id, event_id, account_id, guest_id: newId(), job_id: newId(), ...asked });
      return id;
    },
    async claim(db) {
      const due = await db.all(mails.due, { limit: 100 });
      const own = due.find((row) => row.event_id === event_id);
      return own && db.one(mails.claim, own);
    },
    recover: async (db) => void (await db.run(mails.releaseLost, {})),
    read: (db, id) => db.one(mails.find, { id, event_id }),
    renew: async (db, holder) => (await db.run(mails.renew, holder)) === 1,
    giveBack: async (db, holder) => (await db.run(mails.giveBack, { ...holder, ...again, wait_ms: 0 })) === 1,
    end: async (db, holder) =>
      (await db.run(mails.end, { ...holder, ...again, state: 'sent', sent: 1 })) === 1,
    moveLease: moveLeaseIn('event_mails'),
  };
}
