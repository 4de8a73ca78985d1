import { type Expression, PostgresAdapter, sql } from 'kysely';
import { readJson, TextList } from './json-column.ts';
import { type Holder, isHeld, releasedNow } from './lease.ts';
import type { JobRow, JobState } from './schema.ts';
import { columns, statement } from './statement.ts';

/** A literal, not a bound parameter: the partial index of queued jobs is used only then. */
export const queuedState = sql.lit<JobState>('queued');
/** A literal as well: with a bound state, SQLite plans a statement anew at every run, because of the partial indexes. */
export const runningState = sql.lit<JobState>('running');

const jobColumns = [
  'id',
  'account_id',
  'family',
  'state',
  'params',
  'filter_ref',
  'filter',
  'filter_name',
  'filter_version',
  'template',
  'inputs',
  'filter_kind',
  'model',
  'photo_count',
  'photos_stay',
  'price',
  'key_id',
  'maker_id',
  'via',
  'event_id',
  'quick_test_link_id',
  'progress',
  'claim',
  'lease_until',
  'run_after',
  'retries',
  'losses',
  'handle',
  'result_key',
  'result_notes',
  'error',
  'cancelled',
  'started_at',
  'worker',
  'engine',
  'run_report',
  'gpu_seconds',
  'cost',
  'created_at',
  'finished_at',
  'expires_at',
] as const;

const statusColumns = [
  'id',
  'account_id',
  'family',
  'state',
  'progress',
  'result_key',
  'result_notes',
  'error',
  'filter_ref',
  'filter_kind',
  'model',
  'photo_count',
  'photos_stay',
  'created_at',
  'expires_at',
] as const;
export type JobStatusRow = Pick<JobRow, (typeof statusColumns)[number]>;

/** A job as it is accepted. Its weight, 1 to 9, is how many rounds it comes after the last queued job of its account. */
export type NewJob = Omit<JobRow, 'turn'> & { weight: number };

/** The columns of a job that no worker has claimed yet. */
export const initialJobState = {
  state: 'queued',
  progress: 0,
  claim: 0,
  lease_until: null,
  filter_name: null,
  filter_version: null,
  template: null,
  filter_kind: null,
  model: null,
  photo_count: null,
  photos_stay: null,
  key_id: null,
  maker_id: null,
  via: null,
  event_id: null,
  quick_test_link_id: null,
  retries: 0,
  losses: 0,
  handle: null,
  result_key: null,
  result_notes: null,
  error: null,
  cancelled: 0,
  started_at: null,
  worker: null,
  engine: null,
  run_report: null,
  gpu_seconds: 0,
  cost: 0,
  finished_at: null,
} as const satisfies Partial<NewJob>;

/** Adds what servers took to what a row has of it. */
export const raisedCosts = (p: { gpu_seconds: number; cost: number }) => ({
  gpu_seconds: sql<number>`gpu_seconds + ${p.gpu_seconds}`,
  cost: sql<number>`cost + ${p.cost}`,
});

/** The blob keys of the input photos. */
export function inputKeysOf(job: Pick<JobRow, 'inputs'>): string[] {
  return readJson(TextList, job.inputs);
}

const positionsInRound = 10;

/**
 * Inserts a job at its place in the fair order, a weighted round-robin between accounts: it comes `weight` rounds after
 * the last job of its account that waits for its first claim, or in the round that is being served when there is none.
 * Within a round, lighter jobs come first. Returns the place, `round * 10 + weight`, which is the column `turn`.
 */
export const insertJob = statement((db, p: NewJob) =>
  db
    .insertInto('jobs')
    .values(({ selectFrom, fn, eb }) => {
      const round = (turn: Expression<number>) => eb(turn, '/', sql.lit(positionsInRound));
      const weight = sql<number>`cast(${p.weight} as bigint)`;
      const ownLast = selectFrom('jobs')
        .select((own) => own.fn.max<number>('turn').as('turn'))
        .where('state', '=', queuedState)
        .where('claim', '=', 0)
        .where('account_id', '=', p.account_id)
        .$asScalar();
      const queued = selectFrom('jobs')
        .select((all) => all.fn.min<number>('turn').as('turn'))
        .where('state', '=', queuedState);
      // A job that is queued again keeps its place in a round that was served before.
      const first = fn.coalesce(queued.where('claim', '=', 0).$asScalar(), queued.$asScalar());
      const ownRound = fn.coalesce(eb(round(ownLast), '+', weight), round(first), eb.lit(0));
      return {
        ...columns(p, jobColumns),
        turn: eb(eb(ownRound, '*', sql.lit(positionsInRound)), '+', weight),
      };
    })
    .returning('turn'),
);

export const findJob = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('jobs').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** What a status answer needs. Reading the other columns too takes twice as long. */
export const findJobStatus = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('jobs').select(statusColumns).where('id', '=', p.id).where('account_id', '=', p.account_id),
);

export const findJobById = statement((db, p: { id: string }) =>
  db.selectFrom('jobs').selectAll().where('id', '=', p.id),
);

/** Those of some jobs, whose ids are a JSON list, that have not ended. */
export const listUnendedAmong = statement((db, p: { ids: string }) => {
  const ids =
    db.getExecutor().adapter instanceof PostgresAdapter
      ? sql<string>`(select jsonb_array_elements_text(cast(${p.ids} as jsonb)))`
      : sql<string>`(select value from json_each(${p.ids}))`;
  return db
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', ids)
    .where('state', 'in', ['queued', 'running']);
});

export const countJobs = statement((db, p: { state: JobState }) =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', p.state),
);

export const countQueuedJobsOf = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id)
    .where('state', '=', queuedState),
);

/** For the holder of the claim alone: a worker whose claim is lost changes no row. */
export const completeJob = statement(
  (
    db,
    p: Holder & {
      result_key: string;
      result_notes: string;
      engine: string | null;
      run_report: string | null;
      gpu_seconds: number;
      cost: number;
      now: number;
      expires_at: number;
    },
  ) =>
    db
      .updateTable('jobs')
      .set({
        state: 'completed',
        progress: 1,
        result_key: p.result_key,
        result_notes: p.result_notes,
        engine: p.engine,
        run_report: p.run_report,
        ...raisedCosts(p),
        lease_until: null,
        finished_at: p.now,
        expires_at: p.expires_at,
      })
      .where(isHeld(p)),
);

/** Ends a queued or running job and raises its token, so that a worker that still runs it can write nothing more. */
export const failJob = statement(
  (
    db,
    p: Holder & {
      error: string;
      cancelled: number;
      engine: string | null;
      now: number;
      expires_at: number;
    },
  ) =>
    db
      .updateTable('jobs')
      .set({
        state: 'failed',
        error: p.error,
        cancelled: p.cancelled,
        engine: p.engine,
        ...releasedNow,
        finished_at: p.now,
        expires_at: p.expires_at,
      })
      .where('id', '=', p.id)
      .where('claim', '=', p.claim)
      .where('state', 'in', ['queued', 'running']),
);

/** Where a remote run can be picked up. For the holder of the claim alone. */
export const saveHandle = statement((db, p: Holder & { handle: string }) =>
  db.updateTable('jobs').set({ handle: p.handle }).where(isHeld(p)),
);

/** What is known of the runs so far. For the holder of the claim alone. */
export const saveRunReport = statement(
  (db, p: Holder & { run_report: string; gpu_seconds: number; cost: number }) =>
    db
      .updateTable('jobs')
      .set({ run_report: p.run_report, ...raisedCosts(p) })
      .where(isHeld(p)),
);

/** Deletes the row of an account's job, whatever its state. */
export const deleteJob = statement((db, p: { id: string; account_id: string }) =>
  db.deleteFrom('jobs').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** Ended jobs that have expired and still hold something of the guest, in the order of their expiry after a job. */
export const listExpiredJobs = statement(
  (db, p: { now: number; after_time: number; after_id: string; limit: number }) =>
    db
      .selectFrom('jobs')
      .selectAll()
      .where('state', 'in', ['completed', 'failed'])
      .where('expires_at', '<=', p.now)
      .where('expires_at', '>=', p.after_time)
      .where((eb) => eb.or([eb('expires_at', '>', p.after_time), eb('id', '>', p.after_id)]))
      .where('params', '!=', '{}')
      .orderBy('expires_at')
      .orderBy('id')
      .limit(p.limit),
);

/** Removes everything of the guest. What remains is enough for `JOB_EXPIRED` and the list of jobs. */
export const clearJobContent = statement((db, p: { id: string }) =>
  db
    .updateTable('jobs')
    .set({
      params: '{}',
      filter: null,
      template: null,
      inputs: '[]',
      handle: null,
      result_key: null,
      result_notes: null,
    })
    .where('id', '=', p.id),
);

/** A job that has not ended and needs the photo of a template filter. */
export const findLiveJobOfTemplate = statement((db, p: { template: string }) =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('template', '=', p.template)
    .where('state', 'in', ['queued', 'running'])
    .limit(1),
);

/** Deletes ended jobs that expired before a time. */
export const purgeJobs = statement((db, p: { before: number }) =>
  db.deleteFrom('jobs').where('expires_at', '<', p.before).where('state', 'in', ['completed', 'failed']),
);

/** No photo of an event's jobs that have not ended goes to a company from now on. */
export const keepPhotosOfEvent = statement((db, p: { event_id: string }) =>
  db
    .updateTable('jobs')
    .set({ photos_stay: 1 })
    .where('event_id', '=', p.event_id)
    .where('finished_at', 'is', null),
);

/** When the job of a family became due that is next in the queue. */
export const nextQueuedOf = statement((db, p: { family: string }) =>
  db
    .selectFrom('jobs')
    .select('run_after')
    .where('state', '=', queuedState)
    .where('family', '=', p.family)
    .orderBy('turn')
    .orderBy('id')
    .limit(1),
);

/** For the operator: the jobs of all accounts in a state, newest first. */
export const listJobsByState = statement((db, p: { state: JobState; limit: number }) =>
  db
    .selectFrom('jobs')
    .innerJoin('accounts', 'accounts.id', 'jobs.account_id')
    .select([
      'jobs.id',
      'accounts.email',
      'jobs.family',
      'jobs.state',
      'jobs.progress',
      'jobs.retries',
      'jobs.losses',
      'jobs.error',
      'jobs.created_at',
    ])
    .where('jobs.state', '=', p.state)
    .orderBy('jobs.id', 'desc')
    .limit(p.limit),
);

/** How many jobs of each family are queued, and when the oldest of them was accepted. */
export const queueDepth = statement((db, _: Record<string, never>) =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => [
      'family',
      fn.countAll<number>().as('count'),
      fn.min<number>('created_at').as('oldest'),
    ])
    .where('state', '=', 'queued')
    .groupBy('family'),
);
