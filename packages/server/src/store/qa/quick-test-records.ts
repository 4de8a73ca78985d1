import { PostgresAdapter } from 'kysely';
import { columns, statement } from '../statement.ts';
import type { QuickTestLinkRow, QuickTestRunRow } from './qa-schema.ts';

export const insertQuickTestLink = statement((db, p: QuickTestLinkRow) =>
  db
    .insertInto('quick_test_links')
    .values(
      columns(p, [
        'id',
        'account_id',
        'made_by',
        'filter_id',
        'filter_name',
        'name',
        'token_hash',
        'runs',
        'runs_used',
        'expires_at',
        'version',
        'created_at',
        'last_used',
      ]),
    ),
);

/** With the current name of its filter, or null when the filter was deleted. */
export const findQuickTestLink = statement((db, p: { id: string; account_id: string }) =>
  db
    .selectFrom('quick_test_links')
    .leftJoin('custom_filters', 'custom_filters.id', 'quick_test_links.filter_id')
    .selectAll('quick_test_links')
    .select('custom_filters.name as current_name')
    .where('quick_test_links.id', '=', p.id)
    .where('quick_test_links.account_id', '=', p.account_id),
);

/** The link, which does not change before the transaction ends. SQLite has one transaction at a time, and no such lock. */
export const lockQuickTestLink = statement((db, p: { id: string; account_id: string }) =>
  db
    .selectFrom('quick_test_links')
    .select('version')
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .$if(db.getExecutor().adapter instanceof PostgresAdapter, (links) => links.forUpdate()),
);

export const findQuickTestLinkByToken = statement((db, p: { token_hash: string }) =>
  db.selectFrom('quick_test_links').selectAll().where('token_hash', '=', p.token_hash),
);

export const countQuickTestLinks = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('quick_test_links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id),
);

/** An account's links, newest first, before the link `before`. */
export const listQuickTestLinks = statement((db, p: { account_id: string; before: string; limit: number }) =>
  db
    .selectFrom('quick_test_links')
    .leftJoin('custom_filters', 'custom_filters.id', 'quick_test_links.filter_id')
    .selectAll('quick_test_links')
    .select('custom_filters.name as current_name')
    .where('quick_test_links.account_id', '=', p.account_id)
    .where('quick_test_links.id', '<', p.before)
    .orderBy('quick_test_links.id', 'desc')
    .limit(p.limit),
);

/** Changes no row unless `version` is the current one. */
export const updateQuickTestLink = statement(
  (
    db,
    p: Pick<QuickTestLinkRow, 'id' | 'account_id' | 'made_by' | 'name' | 'runs' | 'expires_at' | 'version'>,
  ) =>
    db
      .updateTable('quick_test_links')
      .set((eb) => ({
        made_by: p.made_by,
        name: p.name,
        runs: p.runs,
        expires_at: p.expires_at,
        version: eb('version', '+', eb.lit(1)),
      }))
      .where('id', '=', p.id)
      .where('account_id', '=', p.account_id)
      .where('version', '=', p.version),
);

export const deleteQuickTestLink = statement((db, p: { id: string; account_id: string }) =>
  db.deleteFrom('quick_test_links').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

export const deleteQuickTestRuns = statement((db, p: { link_id: string }) =>
  db.deleteFrom('quick_test_runs').where('link_id', '=', p.link_id),
);

/** Counts a run. Changes no row when none is left, or when the link has expired or was deleted. */
export const countRun = statement((db, p: { id: string; now: number }) =>
  db
    .updateTable('quick_test_links')
    .set((eb) => ({ runs_used: eb('runs_used', '+', eb.lit(1)), last_used: p.now }))
    .where('id', '=', p.id)
    .where('expires_at', '>', p.now)
    .whereRef('runs_used', '<', 'runs'),
);

export const insertQuickTestRun = statement((db, p: QuickTestRunRow) =>
  db.insertInto('quick_test_runs').values(columns(p, ['job_id', 'link_id', 'counted', 'created_at'])),
);

export const findQuickTestRun = statement((db, p: { job_id: string; link_id: string }) =>
  db
    .selectFrom('quick_test_runs')
    .selectAll()
    .where('job_id', '=', p.job_id)
    .where('link_id', '=', p.link_id),
);

/** Marks the run of a failed job as not counted and names its link. No row when the job is nobody's run, or was marked before. */
export const uncountRun = statement((db, p: { job_id: string }) =>
  db
    .updateTable('quick_test_runs')
    .set({ counted: 0 })
    .where('job_id', '=', p.job_id)
    .where('counted', '=', 1)
    .returning('link_id'),
);

export const returnRun = statement((db, p: { id: string }) =>
  db
    .updateTable('quick_test_links')
    .set((eb) => ({ runs_used: eb('runs_used', '-', eb.lit(1)) }))
    .where('id', '=', p.id),
);

/** Deletes the runs that were started before a time: what a guest could see of them is gone. */
export const purgeQuickTestRuns = statement((db, p: { before: number }) =>
  db.deleteFrom('quick_test_runs').where('created_at', '<', p.before),
);
