import { createHash } from 'node:crypto';
import { PgBoss } from 'pg-boss';
import { createClaimNext, expiredClaims, heartbeat, release } from '../claims.ts';
import type { Queries } from '../db.ts';
import { furthestRunAfterMs, type Queue, type QueueEntry } from '../queue.ts';
import type { JobRow } from '../schema.ts';
import type { PostgresDb, PostgresQueries } from './postgres.ts';
import type { PostgresListener } from './postgres-listener.ts';

const schema = 'pgboss';
/** Where pg-boss notifies of new jobs. */
const channel = `pgboss_${createHash('sha224').update(schema).digest('hex').slice(0, 24)}`;

/**
 * A job's row holds its state, and a claim takes the row: pg-boss hands out jobs by their family alone, and a worker
 * may make only some filters of it. pg-boss notifies workers of new jobs, and holds an entry of every job that waits or
 * runs, by which workers of the version before claim. It never expires a job by a clock of its own.
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

  const claimNext = createClaimNext(perAccount);
  const listeners = new Set<() => void>();
  const unsubscribe = postgres.subscribe(channel, () => {
    for (const listener of listeners) listener();
  });

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

  return {
    async enqueue(tx, entry) {
      await addEntry(tx, entry);
    },
    async claim(claimable) {
      if (perAccount === 0) return claimNext(db, claimable);
      return db.transaction(async (tx) => {
        // Claims wait for one another, so that no two count the same slot of an account as free.
        await tx.executeSql('select pg_advisory_xact_lock(hashtext($1))', ['guise: jobs per account']);
        return claimNext(tx, claimable);
      });
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
