import { type Kysely, PostgresAdapter, type RawBuilder, type SqlBool, sql } from 'kysely';
import { databaseNow } from './database-clock.ts';
import type { Schema } from './schema.ts';

/*
 * The lease of a row that one process at a time works on: a job, a render or a delivery of a webhook.
 *
 * `claim` is the fencing token. Whoever claims the row raises it and holds the row under the new one; whoever gives the
 * row back, or takes it away, raises it again. It is in the `where` of everything that a holder writes, so that one that
 * has lost the row changes nothing. `lease_until` is when a claim ends that nobody renews, by the database's clock; where
 * it is null or 0, nobody holds the row. A holder that is late keeps the row until somebody takes it away.
 */

/** A claim that is not renewed for this long is lost. */
export const leaseMs = 30_000;
export const heartbeatMs = 10_000;

/** A row and the token under which it is held. */
export interface Holder {
  id: string;
  claim: number;
}

/**
 * Whether whoever selects a row to claim it must lock it and skip those that others have locked, so that processes that
 * claim at the same time get different rows. SQLite has one writer at a time.
 */
export const hasRowLocks = (db: Kysely<Schema>) => db.getExecutor().adapter instanceof PostgresAdapter;

/** The columns of a row that is claimed now. */
export const claimedNow = (db: Kysely<Schema>) => ({ ...raisedToken, ...renewedNow(db) });

/** The columns of a row whose holder goes on with it. */
export const renewedNow = (db: Kysely<Schema>) => ({
  lease_until: sql<number>`${databaseNow(db)} + ${sql.lit(leaseMs)}`,
});

const raisedToken = { claim: sql<number>`claim + 1` };

/** The columns of a row that nobody holds any more, in tables that say so by null and by 0. */
export const releasedNow = { ...raisedToken, lease_until: null };
export const releasedToZero = { ...raisedToken, lease_until: sql.lit(0) };

/** Whether the row is held under this token. */
export const isHeld = ({ id, claim }: Holder): RawBuilder<SqlBool> =>
  sql`(id = ${id} and claim = ${claim} and lease_until > 0)`;

/**
 * Whether the lease has ended by a time, which is now unless another is given. One that ends later than a lease can last
 * was written before a clock was set back: nobody renews it.
 */
export function hasEndedLease(
  db: Kysely<Schema>,
  time: RawBuilder<number> = databaseNow(db),
): RawBuilder<SqlBool> {
  return sql`(lease_until <= ${time} or lease_until > ${databaseNow(db)} + ${sql.lit(2 * leaseMs)})`;
}
