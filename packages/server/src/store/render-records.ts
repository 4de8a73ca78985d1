import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import { storedQueues } from '../admission/stored-queues.ts';
import { databaseNow } from './database-clock.ts';
import {
  claimedNow,
  type Holder,
  hasEndedLease,
  hasRowLocks,
  isHeld,
  releasedToZero,
  renewedNow,
} from './lease.ts';
import type { RenderRow, Schema } from './schema.ts';
import { columns, statement } from './statement.ts';

// Previews and tests of custom filters, in the table `renders`. All times are of the database's clock.

/** So long a caller waits for a test. */
export const testLimitMs = storedQueues.filter_tests.waitMs;

/** A literal, not a bound parameter: the partial index of renders that have not ended is used only then. */
const notEnded = sql.lit<RenderRow['ended']>(0);

export const insertRender = statement(
  (db, p: Pick<RenderRow, 'id' | 'filter_id' | 'account_id' | 'purpose' | 'wants'>) =>
    db.insertInto('renders').values((eb) => ({
      ...columns(p, ['id', 'filter_id', 'account_id', 'purpose', 'wants']),
      claim: eb.lit(0),
      tries: eb.lit(0),
      lease_until: eb.lit(0),
      ended: notEnded,
      created_at: databaseNow(db),
    })),
);

/** A test of a definition that is not saved, or a check of a version. */
export const insertDraft = statement(
  (db, p: Pick<RenderRow, 'id' | 'filter_id' | 'account_id' | 'purpose' | 'wants'> & { draft: string }) =>
    db.insertInto('renders').values((eb) => ({
      ...columns(p, ['id', 'filter_id', 'account_id', 'purpose', 'wants', 'draft']),
      claim: eb.lit(0),
      tries: eb.lit(0),
      lease_until: eb.lit(0),
      ended: notEnded,
      created_at: databaseNow(db),
    })),
);

/**
 * Claims a render that wants one of `makeable`, of the first account that has one among those after `account_id`, or
 * among the others. Whoever asks for those after the account it last served, and then for the others, serves accounts in
 * turns. An account's tests come before its previews, and those before its checks.
 */
export const claimRenderOf = (makeable: readonly string[], accounts: 'after' | 'others') =>
  statement((db, p: { account_id: string }) =>
    db
      .updateTable('renders')
      .set((eb) => ({ ...claimedNow(db), tries: eb('tries', '+', eb.lit(1)) }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('renders')
          .select('id')
          .where('ended', '=', notEnded)
          .where('account_id', accounts === 'after' ? '>' : '<=', p.account_id)
          .where(hasEndedLease(db))
          .where('wants', 'in', makeable)
          .where((waiting) => isWanted(db, waiting))
          .orderBy('account_id')
          .orderBy('purpose', 'desc')
          .orderBy('id')
          .limit(sql.lit(1))
          .$if(hasRowLocks(db), (next) => next.forUpdate().skipLocked()),
      )
      .returningAll(),
  );

/** Whether somebody still waits for it: the caller of a test may have gone away together with its server. */
function isWanted(db: Kysely<Schema>, eb: ExpressionBuilder<Schema, 'renders'>) {
  return eb.or([
    eb('purpose', '!=', 'try'),
    eb('created_at', '>', eb(databaseNow(db), '-', sql.lit(testLimitMs))),
  ]);
}

/** Changes no row when the claim is lost. */
export const renewRender = statement((db, p: Holder) =>
  db.updateTable('renders').set(renewedNow(db)).where(isHeld(p)),
);

/** Hands a claimed render back. For the holder of the claim alone. */
export const releaseRender = statement((db, p: Holder) =>
  db
    .updateTable('renders')
    .set((eb) => ({ ...releasedToZero, tries: eb('tries', '-', eb.lit(1)) }))
    .where(isHeld(p)),
);

/** Ends every lease: for a process that knows that all others are gone. */
export const releaseAllRenders = statement((db, _: Record<string, never>) =>
  db.updateTable('renders').set(releasedToZero).where('ended', '=', notEnded),
);

/** For the holder of the claim alone, and once. With neither a result nor an error, the server is at fault. */
export const endTest = statement(
  (db, p: Pick<RenderRow, 'id' | 'claim' | 'result_key' | 'result_notes' | 'error'>) =>
    db
      .updateTable('renders')
      .set((eb) => ({
        ...releasedToZero,
        ended: eb.lit(1),
        result_key: p.result_key,
        result_notes: p.result_notes,
        error: p.error,
      }))
      .where(isHeld(p)),
);

export const findRender = statement((db, p: { id: string }) =>
  db.selectFrom('renders').selectAll().where('id', '=', p.id),
);

/** The tests of an account that wait or run. */
export const countTestsOf = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('renders')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('ended', '=', notEnded)
    .where('account_id', '=', p.account_id)
    .where('purpose', '=', 'try')
    .where((eb) => isWanted(db, eb)),
);

/** What each account has of previews and tests, and how many of those nobody has begun. */
export const countRendersByAccount = statement((db, _: Record<string, never>) =>
  db
    .selectFrom('renders')
    .select(({ fn }) => [
      'account_id',
      'purpose',
      fn.countAll<number>().as('count'),
      fn.countAll<number>().filterWhere(hasEndedLease(db)).as('waiting'),
    ])
    .where('ended', '=', notEnded)
    .where((eb) => isWanted(db, eb))
    .groupBy(['account_id', 'purpose']),
);

export const deleteRender = statement((db, p: { id: string }) =>
  db.deleteFrom('renders').where('id', '=', p.id).returning(['ended', 'result_key']),
);

/** For the holder of the claim alone. */
export const deletePreview = statement((db, p: Holder) => db.deleteFrom('renders').where(isHeld(p)));

/** Deletes the previews of a filter, also one that is being made. */
export const deletePreviewsOf = statement((db, p: { filter_id: string; account_id: string }) =>
  db
    .deleteFrom('renders')
    .where('ended', '=', notEnded)
    .where('account_id', '=', p.account_id)
    .where('purpose', '=', 'preview')
    .where('filter_id', '=', p.filter_id),
);

/** Deletes tests whose callers are gone. */
export const purgeTests = statement((db, _: Record<string, never>) =>
  db
    .deleteFrom('renders')
    .where('purpose', '=', 'try')
    .where((eb) => eb.not(isWanted(db, eb))),
);

/** Deletes all tests: for a process that knows that their callers are gone. */
export const deleteTests = statement((db, _: Record<string, never>) =>
  db.deleteFrom('renders').where('purpose', '=', 'try'),
);
