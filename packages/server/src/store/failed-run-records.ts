import { sql } from 'kysely';
import { databaseNow } from './database-clock.ts';
import type { FailedRunRow } from './schema.ts';
import { statement } from './statement.ts';

// Runs that took an engine's time and gave no result. They are kept apart from their jobs, which may be deleted.

/** Notes a failed run at the time of the database's clock; once for each claim. */
export const insertFailedRun = statement((db, p: Omit<FailedRunRow, 'ended_at'>) =>
  db
    .insertInto('failed_runs')
    .values({
      job_id: p.job_id,
      claim: p.claim,
      account_id: p.account_id,
      engine_ms: p.engine_ms,
      ended_at: databaseNow(db),
    })
    .onConflict((oc) => oc.doNothing()),
);

/** The time that an account's runs took which failed in the last `window_ms`, and how long ago the oldest of them was. */
export const failedTimeOf = statement((db, p: { account_id: string; window_ms: number }) =>
  db
    .selectFrom('failed_runs')
    .select(({ fn, eb }) => [
      fn.coalesce(fn.sum<number>('engine_ms'), sql<number>`0`).as('engine_ms'),
      fn.coalesce(eb(databaseNow(db), '-', fn.min<number>('ended_at')), sql<number>`0`).as('oldest_ms'),
    ])
    .where('account_id', '=', p.account_id)
    .where('ended_at', '>', (eb) => eb(databaseNow(db), '-', p.window_ms)),
);

export const purgeFailedRuns = statement((db, p: { window_ms: number }) =>
  db.deleteFrom('failed_runs').where('ended_at', '<=', (eb) => eb(databaseNow(db), '-', p.window_ms)),
);
