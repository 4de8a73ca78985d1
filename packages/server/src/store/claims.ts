import { hostname } from 'node:os';
import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Db, Queries } from './db.ts';
import { queuedState } from './job-records.ts';
import { type Claim, type Claimable, furthestRunAfterMs, leaseMs, type RequeueReason } from './queue.ts';
import type { JobRow, Schema } from './schema.ts';
import { type Statement, statement } from './statement.ts';

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
interface ClaimLimits {
  claimable: readonly Claimable[];
  /** How many jobs of an account may run at once; 0 is no limit. */
  perAccount: number;
}

/** When a job is due: at or before `now`, or further ahead than any job is put off. */
export interface DueTimes {
  now: number;
  furthest: number;
}

export const dueTimes = (now: number): DueTimes => ({ now, furthest: now + furthestRunAfterMs });

interface ClaimParams extends DueTimes {
  started_at: number;
  lease_until: number;
  worker: string;
}

/** Claims the next job of those that a worker may be given; undefined when there is none. */
export type ClaimNext = (queries: Queries, claimable: readonly Claimable[]) => Promise<Claim | undefined>;

/**
 * `perAccount` is how many jobs of an account may run at once; 0 is no limit. `skipLocked` is for a database in which
 * others claim at the same time: each of them gets the next row that nobody holds. `doubtMs` is how far ahead a job is
 * due already.
 */
export function createClaimNext(
  now: () => number,
  {
    perAccount,
    skipLocked = false,
    doubtMs = 0,
  }: { perAccount: number; skipLocked?: boolean; doubtMs?: number },
): ClaimNext {
  const worker = workerName();
  const statements = new Map<string, Statement<ClaimParams, JobRow>>();
  return async (queries, claimable) => {
    // No row is in an empty list, and PostgreSQL has none: `in ()` is a syntax error.
    const wanted = claimable.filter((one) => !Object.values(one).some((list) => list.length === 0));
    if (wanted.length === 0) return undefined;
    const key = JSON.stringify(wanted);
    const claimNext = statements.get(key) ?? claimNextOf({ claimable: wanted, perAccount }, skipLocked);
    statements.set(key, claimNext);
    const time = now();
    const job = await queries.one(claimNext, {
      ...dueTimes(time + doubtMs),
      started_at: time,
      lease_until: time + leaseMs,
      worker,
    });
    return job && { job, token: job.claim };
  };
}

const claimNextOf = (limits: ClaimLimits, skipLocked: boolean) =>
  statement((db, p: ClaimParams) =>
    db
      .updateTable('jobs')
      .set((eb) => ({
        state: 'running',
        claim: eb('claim', '+', eb.lit(1)),
        lease_until: p.lease_until,
        started_at: p.started_at,
        worker: p.worker,
      }))
      .where(
        'id',
        '=',
        nextQueuedJob(db, p, limits)
          .select('id')
          .$if(skipLocked, (next) => next.forUpdate().skipLocked()),
      )
      .returningAll(),
  );

/** The first job in the fair order that is due, that the worker makes, and of an account below its limit. */
export function nextQueuedJob(
  db: Kysely<Schema>,
  { now, furthest }: DueTimes,
  { claimable, perAccount }: ClaimLimits,
) {
  return db
    .selectFrom('jobs')
    .where('state', '=', queuedState)
    .where((eb) => eb.or([eb('run_after', '<=', now), eb('run_after', '>', furthest)]))
    .where((eb) => eb.or(claimable.map((wanted) => isWanted(eb, wanted))))
    .$if(perAccount > 0, (jobs) => jobs.where('account_id', 'not in', accountsAtLimit(db, perAccount)))
    .orderBy('turn')
    .orderBy('id')
    .limit(1);
}

function isWanted(
  eb: ExpressionBuilder<Schema, 'jobs'>,
  { family, kinds, exceptKinds, filters, models, photos }: Claimable,
) {
  const listed = [
    ...(kinds ? [eb('filter_kind', 'in', kinds)] : []),
    ...(exceptKinds
      ? [eb.or([eb('filter_kind', 'is', null), eb('filter_kind', 'not in', exceptKinds)])]
      : []),
    ...(filters ? [eb('filter_ref', 'in', filters)] : []),
    ...(models ? [eb('model', 'in', models)] : []),
    ...(photos ? [eb('photo_count', 'in', photos)] : []),
  ];
  const ofFamily = eb('family', '=', family);
  if (listed.length === 0) return ofFamily;
  // Of a job without stored needs, only a run finds out who makes it.
  return eb.and([ofFamily, eb.or([eb('photo_count', 'is', null), eb.and(listed)])]);
}

function accountsAtLimit(db: Kysely<Schema>, perAccount: number) {
  return db
    .selectFrom('jobs')
    .select('account_id')
    .where('state', '=', 'running')
    .groupBy('account_id')
    .having((eb) => eb.fn.countAll<number>(), '>=', perAccount);
}
