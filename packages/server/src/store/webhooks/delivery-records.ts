import { type Kysely, sql } from 'kysely';
import { databaseNow } from '../database-clock.ts';
import { claimedNow, type Holder, hasEndedLease, isHeld, releasedNow, renewedNow } from '../lease.ts';
import type { Schema } from '../schema.ts';
import { statement } from '../statement.ts';
import type { DeliveryRow, DeliveryState } from './webhook-schema.ts';

// Deliveries of webhooks, in the table `webhooks`. All times are of the database's clock.

/** A literal, not a bound parameter: the partial index of pending deliveries is used only then. */
const pendingState = sql.lit<DeliveryState>('pending');
/** `due_at` of a delivery that has ended: processes of the version before select by this column alone. */
const never = sql.lit(Number.MAX_SAFE_INTEGER);

/** Part of the transaction that it tells of: there is a delivery if and only if that has happened. */
export const insertDelivery = statement(
  (db, p: Pick<DeliveryRow, 'id' | 'job_id' | 'account_id' | 'url' | 'body'>) =>
    db.insertInto('webhooks').values((eb) => ({
      id: p.id,
      job_id: p.job_id,
      account_id: p.account_id,
      url: p.url,
      body: p.body,
      state: pendingState,
      attempts: eb.lit(0),
      due_at: databaseNow(db),
      claim: eb.lit(0),
      created_at: databaseNow(db),
    })),
);

/**
 * The accounts that have deliveries due, the longest waiting first. It steps from account to account in the index: an
 * account with a hundred thousand pending deliveries costs as much as one with a single delivery.
 */
export const accountsWithDueDeliveries = statement((db, _: Record<string, never>) =>
  db
    .withRecursive('pending', (cte) =>
      cte.selectNoFrom(firstPendingAccount(db, sql.lit('')).as('account_id')).unionAll(
        cte
          .selectFrom('pending')
          .where('pending.account_id', 'is not', null)
          .select(firstPendingAccount(db, sql.ref('pending.account_id')).as('account_id')),
      ),
    )
    .selectFrom((from) =>
      from
        .selectFrom('pending')
        .where('pending.account_id', 'is not', null)
        .select((eb) => [
          'pending.account_id',
          eb
            .selectFrom('webhooks')
            .select('due_at')
            .where('state', '=', pendingState)
            .whereRef('webhooks.account_id', '=', 'pending.account_id')
            .orderBy('due_at')
            .limit(sql.lit(1))
            .as('due_at'),
        ])
        .as('first'),
    )
    .select(sql<string>`account_id`.as('account_id'))
    .where('due_at', '<=', databaseNow(db))
    .orderBy('due_at'),
);

/** The account of the first pending delivery whose account comes after `after`. */
function firstPendingAccount(db: Kysely<Schema>, after: ReturnType<typeof sql.lit<string>>) {
  return db
    .selectFrom('webhooks')
    .select('account_id')
    .where('state', '=', pendingState)
    .where('account_id', '>', after)
    .orderBy('account_id')
    .limit(sql.lit(1));
}

/** The deliveries of an account that are due, the longest waiting first. */
export const dueDeliveriesOf = statement((db, p: { account_id: string; limit: number }) =>
  db
    .selectFrom('webhooks')
    .selectAll()
    .where('state', '=', pendingState)
    .where('account_id', '=', p.account_id)
    .where('due_at', '<=', databaseNow(db))
    .orderBy('due_at')
    .limit(p.limit),
);

/** The deliveries that some node is sending. */
export const leasedDeliveries = statement((db, _: Record<string, never>) =>
  db.selectFrom('webhooks').select(['account_id', 'url']).where('lease_until', '>', databaseNow(db)),
);

/**
 * Begins an attempt, whose time limit is shorter than a lease: the delivery is due again when that has ended, because
 * whoever sends it is lost then. Of several nodes that have read the same row, one changes it.
 */
export const claimDelivery = statement((db, p: Holder) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({
      ...claimedNow(db),
      attempts: eb('attempts', '+', eb.lit(1)),
      due_at: renewedNow(db).lease_until,
    }))
    .where('id', '=', p.id)
    .where('claim', '=', p.claim)
    .where('state', '=', pendingState)
    .where('due_at', '<=', databaseNow(db))
    .returningAll(),
);

type Outcome = Pick<DeliveryRow, 'last_status_code' | 'last_error'>;

const outcomeOf = ({ last_status_code, last_error }: Outcome) => ({ last_status_code, last_error });

/** For the holder of the claim alone: the next attempt begins `wait_ms` from now. */
export const retryDelivery = statement((db, p: Holder & Outcome & { wait_ms: number }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({ ...releasedNow, ...outcomeOf(p), due_at: eb(databaseNow(db), '+', p.wait_ms) }))
    .where(isHeld(p)),
);

/** For the holder of the claim alone: the receiver has acknowledged the delivery. */
export const completeDelivery = statement((db, p: Holder & Outcome) =>
  db
    .updateTable('webhooks')
    .set({
      ...releasedNow,
      ...outcomeOf(p),
      due_at: never,
      state: 'delivered',
      delivered_at: databaseNow(db),
    })
    .where(isHeld(p)),
);

/** The delivery is given up, or its endpoint is disabled. A delivery that nobody holds may be ended so as well. */
export const abandonDelivery = statement((db, p: Holder & Outcome & { state: 'failed' | 'disabled' }) =>
  db
    .updateTable('webhooks')
    .set({ ...releasedNow, ...outcomeOf(p), due_at: never, state: p.state })
    .where('id', '=', p.id)
    .where('claim', '=', p.claim)
    .where('state', '=', pendingState),
);

/**
 * Takes deliveries from nodes that are lost, and makes them due. Their time is as a rule the end of the lease already,
 * unless that was written before a clock was set back.
 */
export const releaseLostDeliveries = statement((db, _: Record<string, never>) =>
  db
    .updateTable('webhooks')
    .set({ ...releasedNow, due_at: databaseNow(db) })
    .where('lease_until', 'is not', null)
    .where(hasEndedLease(db)),
);

/**
 * Makes due what waits for longer than it can have been put off, because a clock was set back since: a first attempt is
 * due at once, the others after `longestWaitMs` at most.
 */
export const shortenDeliveryWaits = statement((db, p: { longestWaitMs: number }) =>
  db
    .updateTable('webhooks')
    .set({ due_at: databaseNow(db) })
    .where('state', '=', pendingState)
    .where('lease_until', 'is', null)
    .where('due_at', '>', databaseNow(db))
    .where((eb) =>
      eb.or([eb('attempts', '=', eb.lit(0)), eb('due_at', '>', eb(databaseNow(db), '+', p.longestWaitMs))]),
    ),
);

/** Makes a delivery due now, with all its attempts before it; changes no row while a node is sending it. */
export const replayDelivery = statement((db, p: { id: string; account_id: string }) =>
  db
    .updateTable('webhooks')
    .set((eb) => ({
      ...releasedNow,
      state: 'pending',
      attempts: eb.lit(0),
      due_at: databaseNow(db),
      delivered_at: null,
    }))
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .where((eb) => eb.or([eb('lease_until', 'is', null), hasEndedLease(db)])),
);

export const findDelivery = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** An account's deliveries, newest first, before the one with `id` that was made at `created_at`. */
export const listDeliveries = statement(
  (db, p: { account_id: string; created_at: number; id: string; limit: number }) =>
    db
      .selectFrom('webhooks')
      .selectAll()
      .where('account_id', '=', p.account_id)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('created_at', 'id'), '<', tuple(p.created_at, p.id)))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit),
);

/** For the operator: the deliveries of all accounts in a state, newest first. */
export const listDeliveriesByState = statement((db, p: { state: DeliveryState; limit: number }) =>
  db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.id', 'webhooks.account_id')
    .selectAll('webhooks')
    .select('accounts.email')
    .where('webhooks.state', '=', p.state)
    .orderBy('webhooks.created_at', 'desc')
    .orderBy('webhooks.id', 'desc')
    .limit(p.limit),
);

/** Deletes what was told of a job. */
export const deleteDeliveriesOf = statement((db, p: { job_id: string }) =>
  db.deleteFrom('webhooks').where('job_id', '=', p.job_id),
);

/** Deletes deliveries that have ended and were made before a time. */
export const purgeDeliveries = statement((db, p: { before: number }) =>
  db.deleteFrom('webhooks').where('created_at', '<', p.before).where('state', '!=', pendingState),
);
