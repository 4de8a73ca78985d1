import { createHash } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { busyAccounts, expiredLeases, nextInTurn, releaseClaim, renewClaim } from './claims.ts';
import type { Queries } from './db.ts';
import type { PostgresDb, PostgresQueries } from './postgres.ts';
import type { PostgresListener } from './postgres-listener.ts';
import { type Claim, leaseMs, type Queue, type QueueEntry } from './queue.ts';
import type { JobRow } from './schema.ts';
import { type Statement, statement } from './statement.ts';

const schema = 'pgboss';
/** Where pg-boss tells of new jobs. */
const channel = `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`;

/**
 * A job's row is the truth about it; pg-boss decides which worker gets which of those that wait, and tells workers of
 * them. An entry is made, taken and removed in the transaction that changes the row, so neither knows what the other
 * does not. For the same reason leases are the row's alone: pg-boss never gives a job away by a clock of its own.
 */
const entries = {
  notify: true,
  retryLimit: 0,
  expireInSeconds: 24 * 3600 - 1,
  retentionSeconds: 10 * 365 * 24 * 3600,
} as const;
/** pg-boss orders by a number of 32 bits, higher ones first. */
const highestPriority = 2 ** 31 - 1;
const lowestPriority = -(2 ** 31);
const farthestMs = 10 * 365 * 24 * 3600_000;
/** How often `take` looks again when another worker was faster. */
const maxLooks = 5;

export interface BossQueue extends Queue {
  close(): Promise<void>;
}

/** `perAccount` is how many jobs of an account may run at once; 0 is no limit. */
export async function bossQueue(
  db: PostgresDb,
  listener: PostgresListener,
  families: readonly string[],
  perAccount = 0,
): Promise<BossQueue> {
  const boss = new PgBoss({
    db,
    schema,
    schedule: false,
    registerInstance: false,
    openTelemetry: { enabled: false },
  });
  // Upkeep that failed is done at the next turn; what we ask for rejects on its own.
  boss.on('error', () => {});
  await boss.start({ attempts: 5 });
  const made = new Set((await boss.getQueues()).map((queue) => queue.name));
  for (const family of families) if (!made.has(family)) await boss.createQueue(family, entries);

  const listeners = new Set<() => void>();
  const unfollow = listener.subscribe(channel, () => {
    for (const listener of listeners) listener();
  });
  const heads = new Map<string, Statement<{ now: number }, Head>>();

  const send = (tx: Queries, entry: QueueEntry) =>
    boss.send(entry.family, null, {
      id: entry.id,
      db: tx as PostgresQueries,
      priority: Math.max(lowestPriority, highestPriority - entry.turn),
      group: { id: entry.account_id },
      startAfter: Math.ceil(Math.min(Math.max(0, entry.run_after - Date.now()), farthestMs) / 1000),
    });

  const busy = statement((db, _: Record<string, never>) => busyAccounts(db, perAccount));
  /** Accounts whose jobs are not to be taken until this transaction has ended: takers wait for one another. */
  const busyNow = async (tx: PostgresQueries) => {
    if (perAccount === 0) return null;
    await tx.executeSql('select pg_advisory_xact_lock(hashtext($1))', ['guise: jobs per account']);
    return (await tx.all(busy, {})).map((row) => row.account_id);
  };

  /** Takes the family's first entry and its job, both or neither. */
  const claimOf = (family: string) =>
    db.transaction(async (tx): Promise<Claim | undefined> => {
      const [entry] = await boss.fetch(family, { db: tx, ignoreGroups: await busyNow(tx) });
      if (!entry) return undefined;
      const job = await tx.one(claimJob, { id: entry.id, lease_until: Date.now() + leaseMs });
      if (!job) await boss.deleteJob(family, entry.id, { db: tx });
      return job && { job, token: job.claim };
    });

  /** A job that waits without an entry, as after a backup that lacks pg-boss's tables, gets one. */
  const enterAgain = (id: string) =>
    db.transaction(async (tx) => {
      const job = await tx.one(lockWaiting, { id });
      if (job && !(await boss.getJobById(job.family, id, { db: tx }))) await send(tx, job);
    });

  return {
    async enqueue(tx, entry) {
      await send(tx, entry);
    },
    async take(names) {
      const key = names.join();
      const head = heads.get(key) ?? headOf({ families: names, perAccount });
      heads.set(key, head);
      let missed: string | undefined;
      for (let looks = 0; looks < maxLooks; looks++) {
        const next = await db.one(head, { now: Date.now() });
        if (!next) return undefined;
        const claim = await claimOf(next.family);
        if (claim) return claim;
        if (next.id === missed) await enterAgain(next.id);
        missed = next.id;
      }
      return undefined;
    },
    async beat(claim, progress) {
      const lease_until = Date.now() + leaseMs;
      return (
        (await db.run(renewClaim, { id: claim.job.id, claim: claim.token, progress, lease_until })) === 1
      );
    },
    async done(tx, { job }) {
      await boss.deleteJob(job.family, job.id, { db: tx as PostgresQueries });
    },
    async putBack(tx, { job, token }, runAfter, why) {
      const counts = { retry: why === 'retry' ? 1 : 0, loss: why === 'loss' ? 1 : 0 };
      const rows = await tx.run(releaseClaim, { id: job.id, claim: token, run_after: runAfter, ...counts });
      if (rows === 0) return false;
      await boss.deleteJob(job.family, job.id, { db: tx as PostgresQueries });
      await send(tx, { ...job, run_after: runAfter });
      return true;
    },
    async lost(now) {
      return (await db.all(expiredLeases, { now })).map((job) => ({ job, token: job.claim }));
    },
    onWork(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      unfollow();
      await boss.stop({ graceful: false });
    },
  };
}

type Head = Pick<JobRow, 'id' | 'family'>;

const headOf = (wanted: { families: readonly string[]; perAccount: number }) =>
  statement((db, p: { now: number }) => nextInTurn(db, p.now, wanted).select(['id', 'family']));

const claimJob = statement((db, p: { id: string; lease_until: number }) =>
  db
    .updateTable('jobs')
    .set((eb) => ({
      state: 'running',
      claim: eb('claim', '+', eb.lit(1)),
      lease_until: p.lease_until,
      progress: 0,
    }))
    .where('id', '=', p.id)
    .where('state', '=', 'queued')
    .returningAll(),
);

const lockWaiting = statement((db, p: { id: string }) =>
  db
    .selectFrom('jobs')
    .select(['id', 'account_id', 'family', 'turn', 'run_after'])
    .where('id', '=', p.id)
    .where('state', '=', 'queued')
    .forUpdate(),
);
