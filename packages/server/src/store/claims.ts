import { hostname } from 'node:os';
import type { Kysely } from 'kysely';
import type { Db, Queries } from './db.ts';
import { queuedState } from './job-records.ts';
import { type Claim, furthestRunAfterMs, leaseMs, type RequeueReason } from './queue.ts';
import type { Schema } from './schema.ts';
import { statement } from './statement.ts';

// What every queue does with a claim. The job's row decides who holds it.

/** By what name this process claims jobs: `host:pid`. */
export const workerName = () => `${hostname()}:${process.pid}`;

/** Renews the lease and stores the progress; false when the claim is lost. */
export async function heartbeat(db: Db, { job, token }: Claim, progress: number): Promise<boolean> {
  const lease_until = db.now() + leaseMs;
  return (await db.run(renewLease, { id: job.id, claim: token, progress, lease_until })) === 1;
}

/** Makes the job a queued one again; false when the claim is lost. */
export async function release(
  tx: Queries,
  { job, token }: Claim,
  runAfter: number,
  reason: RequeueReason,
): Promise<boolean> {
  const rows = await tx.run(releaseClaim, {
    id: job.id,
    claim: token,
    run_after: runAfter,
    retry: reason === 'retry' ? 1 : 0,
    loss: reason === 'loss' ? 1 : 0,
  });
  return rows === 1;
}

export async function expiredClaims(db: Db, now: number): Promise<Claim[]> {
  const jobs = await db.all(jobsWithExpiredLease, { now, furthest: now + 2 * leaseMs });
  return jobs.map((job) => ({ job, token: job.claim }));
}

const renewLease = statement((db, p: { id: string; claim: number; progress: number; lease_until: number }) =>
  db
    .updateTable('jobs')
    .set({ lease_until: p.lease_until, progress: p.progress })
    .where('id', '=', p.id)
    .where('claim', '=', p.claim)
    .where('state', '=', 'running'),
);

const releaseClaim = statement(
  (db, p: { id: string; claim: number; run_after: number; retry: number; loss: number }) =>
    db
      .updateTable('jobs')
      .set((eb) => ({
        state: 'queued',
        // Raised here too: otherwise the former holder could still write until the next claim.
        claim: eb('claim', '+', eb.lit(1)),
        lease_until: null,
        run_after: p.run_after,
        retries: eb('retries', '+', p.retry),
        losses: eb('losses', '+', p.loss),
      }))
      .where('id', '=', p.id)
      .where('claim', '=', p.claim)
      .where('state', '=', 'running'),
);

/** A lease that ends after `furthest` was written before a clock was set back: nobody renews it. */
const jobsWithExpiredLease = statement((db, p: { now: number; furthest: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'running')
    .where((eb) => eb.or([eb('lease_until', '<=', p.now), eb('lease_until', '>', p.furthest)])),
);

/** Which jobs a worker may be given. */
export interface ClaimLimits {
  families: readonly string[];
  /** How many jobs of an account may run at once; 0 is no limit. */
  perAccount: number;
}

/** When a job is due: at or before `now`, or further ahead than any job is put off. */
export interface DueTimes {
  now: number;
  furthest: number;
}

export const dueTimes = (now: number): DueTimes => ({ now, furthest: now + furthestRunAfterMs });

/** The first job in the fair order that is due, of these families and of an account below its limit. */
export function nextQueuedJob(
  db: Kysely<Schema>,
  { now, furthest }: DueTimes,
  { families, perAccount }: ClaimLimits,
) {
  return db
    .selectFrom('jobs')
    .where('state', '=', queuedState)
    .where((eb) => eb.or([eb('run_after', '<=', now), eb('run_after', '>', furthest)]))
    .where('family', 'in', families)
    .$if(perAccount > 0, (jobs) => jobs.where('account_id', 'not in', accountsAtLimit(db, perAccount)))
    .orderBy('turn')
    .orderBy('id')
    .limit(1);
}

export function accountsAtLimit(db: Kysely<Schema>, perAccount: number) {
  return db
    .selectFrom('jobs')
    .select('account_id')
    .where('state', '=', 'running')
    .groupBy('account_id')
    .having((eb) => eb.fn.countAll<number>(), '>=', perAccount);
}
