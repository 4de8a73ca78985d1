import { createHash } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import {
  accountsAtLimit,
  type ClaimLimits,
  type DueTimes,
  dueTimes,
  expiredClaims,
  heartbeat,
  nextQueuedJob,
  release,
  workerName,
} from '../claims.ts';
import type { Queries } from '../db.ts';
import { type Claim, furthestRunAfterMs, leaseMs, type Queue, type QueueEntry } from '../queue.ts';
import type { JobRow } from '../schema.ts';
import { type Statement, statement } from '../statement.ts';
import type { PostgresDb, PostgresQueries } from './postgres.ts';
import type { PostgresListener } from './postgres-listener.ts';

const schema = 'pgboss';
/** Where pg-boss notifies of new jobs. */
const channel = `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`;

/**
 * A job's row holds its state; pg-boss decides which worker gets which queued job, and notifies workers of new ones.
 * An entry is added, fetched and removed in the transaction that changes the row, so the two cannot disagree. For the
 * same reason only the row has a lease: pg-boss never expires a job by a clock of its own.
 */
const entryOptions = {
  notify: true,
  retryLimit: 0,
  expireInSeconds: 24 * 3600 - 1,
  retentionSeconds: 10 * 365 * 24 * 3600,
} as const;
/** pg-boss orders by a number of 32 bits, higher ones first. */
const highestPriority = 2 ** 31 - 1;
const lowestPriority = -(2 ** 31);
/** How often `claim` tries again when another worker was faster. */
const maxClaimAttempts = 5;
/**
 * Nodes read PostgreSQL's clock to within some milliseconds. One that is behind would find a job that another has just
 * queued not due, and look again a second later.
 */
const clockDoubtMs = 20;

export interface BossQueue extends Queue {
  close(): Promise<void>;
}

/** `perAccount` is how many jobs of an account may run at once; 0 is no limit. */
export async function bossQueue(
  db: PostgresDb,
  postgres: PostgresListener,
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
  // Maintenance that failed is repeated by pg-boss; calls of ours reject on their own.
  boss.on('error', () => {});
  await boss.start({ attempts: 5 });
  const existing = new Set((await boss.getQueues()).map((queue) => queue.name));
  for (const family of families) if (!existing.has(family)) await boss.createQueue(family, entryOptions);

  const worker = workerName();
  const listeners = new Set<() => void>();
  const unsubscribe = postgres.subscribe(channel, () => {
    for (const listener of listeners) listener();
  });
  const nextStatements = new Map<string, Statement<DueTimes, NextJob>>();

  const delayOf = ({ run_after }: QueueEntry) => {
    const ms = run_after - db.now();
    return ms > furthestRunAfterMs ? 0 : Math.max(0, ms);
  };
  const addEntry = (tx: Queries, entry: QueueEntry) =>
    boss.send(entry.family, null, {
      id: entry.id,
      ...inTransaction(tx),
      priority: Math.max(lowestPriority, highestPriority - entry.turn),
      group: { id: entry.account_id },
      startAfter: Math.ceil(delayOf(entry) / 1000),
    });
  const removeEntry = (tx: Queries, { id, family }: Pick<JobRow, 'id' | 'family'>) =>
    boss.deleteJob(family, id, inTransaction(tx));

  const selectAccountsAtLimit = statement((db, _: Record<string, never>) => accountsAtLimit(db, perAccount));
  /** Accounts at their limit. The lock makes claims wait for one another, so that no two count the same slot as free. */
  const lockAccountsAtLimit = async (tx: PostgresQueries) => {
    if (perAccount === 0) return null;
    await tx.executeSql('select pg_advisory_xact_lock(hashtext($1))', ['guise: jobs per account']);
    return (await tx.all(selectAccountsAtLimit, {})).map((row) => row.account_id);
  };

  /** Claims the family's first entry and its job, both or neither. */
  const claimFirst = (family: string) =>
    db.transaction(async (tx): Promise<Claim | undefined> => {
      const [entry] = await boss.fetch(family, { db: tx, ignoreGroups: await lockAccountsAtLimit(tx) });
      if (!entry) return undefined;
      const now = db.now();
      const job = await tx.one(claimJob, { id: entry.id, now, lease_until: now + leaseMs, worker });
      if (!job) await removeEntry(tx, { id: entry.id, family });
      return job && { job, token: job.claim };
    });

  /**
   * Adds the entry of a queued job that has none, as after a backup without pg-boss's tables, or that waits longer than
   * any job is put off, as after PostgreSQL's clock was set back.
   */
  const restoreEntry = (id: string) =>
    db.transaction(async (tx) => {
      const job = await tx.one(lockQueuedJob, { id });
      if (!job) return;
      const entry = await boss.getJobById(job.family, id, { db: tx });
      if (entry && entry.startAfter.getTime() <= db.now() + furthestRunAfterMs) return;
      if (entry) await removeEntry(tx, job);
      await addEntry(tx, job);
    });

  return {
    async enqueue(tx, entry) {
      await addEntry(tx, entry);
    },
    async claim(names) {
      // PostgreSQL has no empty list: `family in ()` is a syntax error.
      if (names.length === 0) return undefined;
      const key = names.join();
      const findNext = nextStatements.get(key) ?? findNextOf({ families: names, perAccount });
      nextStatements.set(key, findNext);
      let missed: string | undefined;
      for (let attempt = 0; attempt < maxClaimAttempts; attempt++) {
        const next = await db.one(findNext, dueTimes(db.now() + clockDoubtMs));
        if (!next) return undefined;
        const claim = await claimFirst(next.family);
        if (claim) return claim;
        if (next.id === missed) await restoreEntry(next.id);
        missed = next.id;
      }
      return undefined;
    },
    heartbeat: (claim, progress) => heartbeat(db, claim, progress),
    async complete(tx, { job }) {
      await removeEntry(tx, job);
    },
    async requeue(tx, claim, runAfter, reason) {
      if (!(await release(tx, claim, runAfter, reason))) return false;
      await removeEntry(tx, claim.job);
      await addEntry(tx, { ...claim.job, run_after: runAfter });
      return true;
    },
    expired: (now) => expiredClaims(db, now),
    onEnqueued(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      unsubscribe();
      await boss.stop({ graceful: false });
    },
  };
}

/** The caller's transaction is one of a `PostgresDb`, so that it also runs pg-boss's SQL. */
const inTransaction = (tx: Queries) => ({ db: tx as PostgresQueries });

type NextJob = Pick<JobRow, 'id' | 'family'>;

const findNextOf = (limits: ClaimLimits) =>
  statement((db, p: DueTimes) => nextQueuedJob(db, p, limits).select(['id', 'family']));

const claimJob = statement((db, p: { id: string; now: number; lease_until: number; worker: string }) =>
  db
    .updateTable('jobs')
    .set((eb) => ({
      state: 'running',
      claim: eb('claim', '+', eb.lit(1)),
      lease_until: p.lease_until,
      started_at: p.now,
      worker: p.worker,
    }))
    .where('id', '=', p.id)
    .where('state', '=', 'queued')
    .returningAll(),
);

const lockQueuedJob = statement((db, p: { id: string }) =>
  db
    .selectFrom('jobs')
    .select(['id', 'account_id', 'family', 'turn', 'run_after'])
    .where('id', '=', p.id)
    .where('state', '=', 'queued')
    .forUpdate(),
);
