import { hostname } from 'node:os';
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { endOfShare, shareDigits } from '../ids.ts';
import { databaseNow } from './database-clock.ts';
import type { Db, Queries } from './db.ts';
import { queuedState, runningState } from './job-records.ts';
import {
  claimedNow,
  type Holder,
  hasEndedLease,
  hasRowLocks,
  isHeld,
  releasedNow,
  renewedNow,
} from './lease.ts';
import { type Claim, type Claimable, furthestRunAfterMs, type RequeueReason } from './queue.ts';
import type { JobRow, Schema } from './schema.ts';
import { type Statement, statement } from './statement.ts';

// What every queue does with a claim. The job's row decides who holds it.

/** By what name this process claims jobs: `host:pid`. */
export const workerName = () => `${hostname()}:${process.pid}`;

/** Renews the lease and stores the progress; false when the claim is lost. */
export async function heartbeat(db: Db, { job, token }: Claim, progress: number): Promise<boolean> {
  return (await db.run(renewJob, { id: job.id, claim: token, progress })) === 1;
}

/** Makes the job a queued one again; false when the claim is lost. */
export async function release(
  tx: Queries,
  { job, token }: Claim,
  runAfter: number,
  reason: RequeueReason,
): Promise<boolean> {
  const rows = await tx.run(releaseJob, {
    id: job.id,
    claim: token,
    run_after: runAfter,
    retry: reason === 'retry' ? 1 : 0,
    loss: reason === 'loss' ? 1 : 0,
  });
  return rows === 1;
}

export async function expiredClaims(db: Db, now: number): Promise<Claim[]> {
  const jobs = await db.all(jobsWithEndedLease, { now });
  return jobs.map((job) => ({ job, token: job.claim }));
}

const renewJob = statement((db, p: Holder & { progress: number }) =>
  db
    .updateTable('jobs')
    .set({ ...renewedNow(db), progress: p.progress })
    .where(isHeld(p)),
);

const releaseJob = statement((db, p: Holder & { run_after: number; retry: number; loss: number }) =>
  db
    .updateTable('jobs')
    .set((eb) => ({
      ...releasedNow,
      state: 'queued',
      run_after: p.run_after,
      retries: eb('retries', '+', p.retry),
      losses: eb('losses', '+', p.loss),
    }))
    .where(isHeld(p)),
);

const jobsWithEndedLease = statement((db, p: { now: number }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', runningState)
    .where(hasEndedLease(db, sql<number>`cast(${p.now} as bigint)`)),
);

/** Which jobs a worker may be given. */
interface ClaimLimits {
  claimable: readonly Claimable[];
  /** How many jobs of an account may run at once; 0 is no limit. */
  perAccount: number;
}

/** Claims the next job of those that a worker may be given; undefined when there is none. */
export type ClaimNext = (queries: Queries, claimable: readonly Claimable[]) => Promise<Claim | undefined>;

/** `perAccount` is how many jobs of an account may run at once; 0 is no limit. */
export function createClaimNext(perAccount: number): ClaimNext {
  const worker = workerName();
  const statements = new Map<string, Statement<{ worker: string }, JobRow>>();
  return async (queries, claimable) => {
    // No row is in an empty list, and PostgreSQL has none: `in ()` is a syntax error.
    const wanted = claimable.filter(
      (one) => !Object.values(one).some((list) => Array.isArray(list) && list.length === 0),
    );
    if (wanted.length === 0) return undefined;
    const key = JSON.stringify(wanted);
    const claimNext = statements.get(key) ?? claimNextOf({ claimable: wanted, perAccount });
    statements.set(key, claimNext);
    const job = await queries.one(claimNext, { worker });
    return job && { job, token: job.claim };
  };
}

const claimNextOf = (limits: ClaimLimits) =>
  statement((db, p: { worker: string }) =>
    db
      .updateTable('jobs')
      .set({ ...claimedNow(db), state: 'running', started_at: databaseNow(db), worker: p.worker })
      .where(
        'id',
        '=',
        nextQueuedJob(db, limits)
          .select('id')
          .$if(hasRowLocks(db), (next) => next.forUpdate().skipLocked()),
      )
      .returningAll(),
  );

/**
 * Nodes read the database's clock to within some milliseconds. A job that one of them has just queued would not be due yet
 * for another, which would look again a second later.
 */
const clockDoubtMs = 20;

/** The first job in the fair order that is due, that the worker makes, and of an account below its limit. */
export function nextQueuedJob(db: Kysely<Schema>, { claimable, perAccount }: ClaimLimits) {
  const ahead = (ms: number) => sql<number>`${databaseNow(db)} + ${sql.lit(ms)}`;
  return db
    .selectFrom('jobs')
    .where('state', '=', queuedState)
    .where((eb) =>
      eb.or([eb('run_after', '<=', ahead(clockDoubtMs)), eb('run_after', '>', ahead(furthestRunAfterMs))]),
    )
    .where((eb) => eb.or(claimable.map((wanted) => isWanted(eb, wanted))))
    .$if(perAccount > 0, (jobs) => jobs.where('account_id', 'not in', accountsAtLimit(db, perAccount)))
    .orderBy('turn')
    .orderBy('id')
    .limit(1);
}

/** Of an id, which has 36 characters. */
const lastDigits = sql<string>`substr(id, ${sql.lit(37 - shareDigits)})`;

function isWanted(
  eb: ExpressionBuilder<Schema, 'jobs'>,
  { family, kinds, exceptKinds, filters, models, photos, photosLeave, share }: Claimable,
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
  const ofFamily = eb.and([
    eb('family', '=', family),
    ...(photosLeave ? [eb.or([eb('photos_stay', 'is', null), eb('photos_stay', '=', 0)])] : []),
    ...(share === undefined ? [] : [eb(lastDigits, '<', endOfShare(share))]),
  ]);
  if (listed.length === 0) return ofFamily;
  // Of a job without stored needs, only a run finds out who makes it.
  return eb.and([ofFamily, eb.or([eb('photo_count', 'is', null), eb.and(listed)])]);
}

function accountsAtLimit(db: Kysely<Schema>, perAccount: number) {
  return db
    .selectFrom('jobs')
    .select('account_id')
    .where('state', '=', runningState)
    .groupBy('account_id')
    .having((eb) => eb.fn.countAll<number>(), '>=', perAccount);
}
