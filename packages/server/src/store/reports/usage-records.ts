import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';
import { statement } from '../statement.ts';

// What jobs came to, by family, filter and key. Rows of jobs are deleted some time after they expire, or when they are
// erased: before that, what they came to is added to the day they were accepted on.

export const dayMs = 24 * 3600_000;

/** An empty text stands for none: columns of a primary key cannot be null. */
const filterOrNone = sql<string>`coalesce(filter_ref, '')`;
/** Guests of a quick test link have no key: their jobs are counted under the link. */
const keyOrNone = sql<string>`coalesce(key_id, quick_test_link_id, '')`;
const failedJobs = sql<number>`sum(case when state = 'failed' then 1 else 0 end)`;
const cancelledJobs = sql<number>`sum(case when state = 'failed' and cancelled = 1 then 1 else 0 end)`;
const liveJobs = sql<number>`sum(case when state in ('queued', 'running') then 1 else 0 end)`;
/** A failed job has its credits back. */
const creditsCharged = sql<number>`sum(case when state = 'failed' then 0 else price end)`;

/**
 * The sums of the account's next jobs from an id on, and the last of their ids. At most `limit` jobs are read at once,
 * because SQLite reads on the server's own thread.
 */
export const sumJobs = statement(
  (db, p: { account_id: string; after: string; since: string; before: string; limit: number }) =>
    db
      .selectFrom(
        db
          .selectFrom('jobs')
          .select([
            'id',
            'family',
            'filter_ref',
            'key_id',
            'quick_test_link_id',
            'state',
            'cancelled',
            'price',
            'gpu_seconds',
            'cost',
          ])
          .where('account_id', '=', p.account_id)
          .where('id', '>', p.after)
          .where('id', '>=', p.since)
          .where('id', '<', p.before)
          .orderBy('id')
          .limit(p.limit)
          .as('next'),
      )
      .select(({ fn }) => [
        'family',
        filterOrNone.as('filter_ref'),
        keyOrNone.as('key_id'),
        fn.countAll<number>().as('jobs'),
        failedJobs.as('failed'),
        cancelledJobs.as('cancelled'),
        liveJobs.as('live'),
        creditsCharged.as('credits'),
        fn.sum<number>('gpu_seconds').as('gpu_seconds'),
        fn.sum<number>('cost').as('cost'),
        fn.max<string>('id').as('last'),
      ])
      .groupBy(['family', filterOrNone, keyOrNone]),
);

/** What jobs came to whose rows are gone, for days from `since` to before `before`. */
export const listFormerUsage = statement((db, p: { account_id: string; since: number; before: number }) =>
  db
    .selectFrom('former_usage')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('day', '>=', p.since)
    .where('day', '<', p.before),
);

function selectSums(db: Kysely<Schema>) {
  const day = sql<number>`created_at / ${sql.lit(dayMs)}`;
  return db
    .selectFrom('jobs')
    .select(({ fn }) => [
      'account_id',
      day.as('day'),
      'family',
      filterOrNone.as('filter_ref'),
      keyOrNone.as('key_id'),
      fn.countAll<number>().as('jobs'),
      failedJobs.as('failed'),
      cancelledJobs.as('cancelled'),
      creditsCharged.as('credits'),
      fn.sum<number>('gpu_seconds').as('gpu_seconds'),
      fn.sum<number>('cost').as('cost'),
    ])
    .groupBy(['account_id', day, 'family', filterOrNone, keyOrNone]);
}

function insertSums(db: Kysely<Schema>, sums: ReturnType<typeof selectSums>) {
  return db
    .insertInto('former_usage')
    .columns([
      'account_id',
      'day',
      'family',
      'filter_ref',
      'key_id',
      'jobs',
      'failed',
      'cancelled',
      'credits',
      'gpu_seconds',
      'cost',
    ])
    .expression(sums)
    .onConflict((oc) =>
      oc.columns(['account_id', 'day', 'family', 'filter_ref', 'key_id']).doUpdateSet((eb) => ({
        jobs: eb('former_usage.jobs', '+', eb.ref('excluded.jobs')),
        failed: eb('former_usage.failed', '+', eb.ref('excluded.failed')),
        cancelled: eb('former_usage.cancelled', '+', eb.ref('excluded.cancelled')),
        credits: eb('former_usage.credits', '+', eb.ref('excluded.credits')),
        gpu_seconds: eb('former_usage.gpu_seconds', '+', eb.ref('excluded.gpu_seconds')),
        cost: eb('former_usage.cost', '+', eb.ref('excluded.cost')),
      })),
    );
}

/** Part of the transaction that deletes the job. */
export const keepUsageOfJob = statement((db, p: { id: string; account_id: string }) =>
  insertSums(db, selectSums(db).where('id', '=', p.id).where('account_id', '=', p.account_id)),
);

/** Part of the transaction that purges the jobs: see `purgeJobs`. */
export const keepUsageOfPurgedJobs = statement((db, p: { before: number }) =>
  insertSums(
    db,
    selectSums(db).where('expires_at', '<', p.before).where('state', 'in', ['completed', 'failed']),
  ),
);

/** Deletes what is older than any answer shows. */
export const purgeFormerUsage = statement((db, p: { before: number }) =>
  db.deleteFrom('former_usage').where('day', '<', p.before),
);
