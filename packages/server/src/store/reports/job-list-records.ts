import { sql } from 'kysely';
import { queuedState } from '../job-records.ts';
import type { JobState } from '../schema.ts';
import { statement } from '../statement.ts';

// An account's jobs whose ids lie between two, newest first: ids grow with time. Each statement has an index of its own,
// so that a page costs the same among a thousand jobs and among a million.

export interface JobRange {
  account_id: string;
  /** The first id that may be in the list. */
  since: string;
  /** The first that may not. */
  before: string;
  limit: number;
}

export const listJobsBetween = statement((db, p: JobRange) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .where('id', '>=', p.since)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export const listJobsOfFamily = statement((db, p: JobRange & { family: string }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('family', '=', p.family)
    .where('id', '<', p.before)
    .where('id', '>=', p.since)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export const listJobsOfFilter = statement((db, p: JobRange & { filter: string }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('filter_ref', '=', p.filter)
    .where('id', '<', p.before)
    .where('id', '>=', p.since)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export const listJobsOfKey = statement((db, p: JobRange & { key_id: string }) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('key_id', '=', p.key_id)
    .where('id', '<', p.before)
    .where('id', '>=', p.since)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** The state is a literal, not a bound parameter: the partial index of failed jobs is used only then. */
export const listFailedJobs = statement((db, p: JobRange) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('state', '=', sql.lit<JobState>('failed'))
    .where('id', '<', p.before)
    .where('id', '>=', p.since)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/**
 * Few jobs wait or run, and few accounts have many that do, so these are found by their state and then sorted. The ids
 * are compared as expressions because SQLite would otherwise search all jobs of the account in the order of their ids.
 */
const idText = sql<string>`(jobs.id || '')`;

export const listQueuedJobs = statement((db, p: JobRange) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('state', '=', queuedState)
    .where(idText, '<', p.before)
    .where(idText, '>=', p.since)
    .orderBy(idText, 'desc')
    .limit(p.limit),
);

export const listRunningJobs = statement((db, p: JobRange) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where(sql<string>`(jobs.account_id || '')`, '=', p.account_id)
    .where('state', '=', sql.lit<JobState>('running'))
    .where(idText, '<', p.before)
    .where(idText, '>=', p.since)
    .orderBy(idText, 'desc')
    .limit(p.limit),
);
