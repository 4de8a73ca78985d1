import { sql } from 'kysely';
import { queuedState } from '../job-records.ts';
import type { JobState } from '../schema.ts';
import { statement } from '../statement.ts';

// What has changed of an account since a time.

interface Since {
  account_id: string;
  since: number;
  limit: number;
}

/** The last that ended first. */
export const listEndedJobsSince = statement((db, p: Since) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('finished_at', '>=', p.since)
    .orderBy('finished_at', 'desc')
    .limit(p.limit),
);

export const listCustomFiltersSince = statement((db, p: Since) =>
  db
    .selectFrom('custom_filters')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where((eb) => eb.or([eb('updated_at', '>=', p.since), eb('draft_changed_at', '>=', p.since)]))
    .orderBy('updated_at', 'desc')
    .limit(p.limit),
);

export const listAliasIdsSince = statement((db, p: Since) =>
  db
    .selectFrom('aliases')
    .select('id')
    .where('account_id', '=', p.account_id)
    .where((eb) => eb.or([eb('updated_at', '>=', p.since), eb('draft_changed_at', '>=', p.since)]))
    .orderBy('updated_at', 'desc')
    .limit(p.limit),
);

/** How many jobs of an account wait, and when the oldest of them was accepted. */
export const queueOfAccount = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min<number>('created_at').as('oldest')])
    .where('account_id', '=', p.account_id)
    .where('state', '=', queuedState),
);

/** Few jobs run at once: they are found by their state and not by their account. */
export const countRunningJobsOf = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll<number>().as('running'))
    .where(sql<string>`(jobs.account_id || '')`, '=', p.account_id)
    .where('state', '=', sql.lit<JobState>('running')),
);
