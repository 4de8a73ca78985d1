import { type Kysely, sql } from 'kysely';
import { databaseNow } from '../database-clock.ts';
import { claimedNow, type Holder, hasEndedLease, isHeld, releasedNow, renewedNow } from '../lease.ts';
import type { Schema } from '../schema.ts';
import { statement } from '../statement.ts';
import type { EventMailRow, EventPrintRow } from './outbox-schema.ts';

// What waits to be printed or mailed, in the tables `event_prints` and `event_mails`. All times are of the database's clock.

interface OutboxTables {
  event_prints: EventPrintRow;
  event_mails: EventMailRow;
}

/** The statements that both tables have. Of what has the same value in a column of `oneOfEach`, one is sent at a time. */
export const outboxOf = <Table extends keyof OutboxTables>(
  table: Table,
  oneOfEach: keyof OutboxTables[Table] & string,
) => ({
  ...queueStatements(table, oneOfEach),
  ...maintenanceStatements(table),
  ...recordStatements(table),
});

/**
 * What is due: the first of each account, then the second of each, so that a hundred prints for a printer that does not
 * answer stand before no other's. Of those that come in the same turn, the longest waiting is first.
 */
function dueInTurn<Table extends keyof OutboxTables>(table: Table, oneOfEach: string) {
  type Row = OutboxTables[Table];
  const shared = table as 'event_prints';
  return statement((db, p: { limit: number }) =>
    db
      .with('due', (cte) =>
        cte
          .selectFrom(shared)
          .selectAll()
          .select(({ fn }) =>
            fn
              .agg<number>('row_number')
              .over((over) =>
                over
                  .partitionBy(oneOfEach as 'id')
                  .orderBy('due_at')
                  .orderBy('id'),
              )
              .as('place'),
          )
          .where('ended_at', 'is', null)
          .where('due_at', '<=', databaseNow(db)),
      )
      .with('turns', (cte) =>
        cte
          .selectFrom('due')
          .selectAll()
          .select(({ fn }) =>
            fn
              .agg<number>('row_number')
              .over((over) => over.partitionBy('account_id').orderBy('due_at').orderBy('id'))
              .as('turn'),
          )
          .where('place', '=', sql.lit(1)),
      )
      .selectFrom('turns')
      .selectAll()
      .orderBy('turn')
      .orderBy('due_at')
      .orderBy('id')
      .limit(p.limit)
      .$castTo<Row>(),
  );
}

/** The columns of a row whose holder goes on with it: it is due again when the lease has ended. */
const renewedAndDue = (db: Kysely<Schema>) => ({ ...renewedNow(db), due_at: renewedNow(db).lease_until });

/** For those who send what is due. */
function queueStatements<Table extends keyof OutboxTables>(table: Table, oneOfEach: string) {
  type Row = OutboxTables[Table];
  type State = Row['state'];
  /** For kysely both are the same table: only columns of `OutboxRow` and the state are named here. */
  const shared = table as 'event_prints';
  return {
    due: dueInTurn(table, oneOfEach),

    /** Of several processes that have read the same row, one claims it. It is due again when the lease has ended. */
    claim: statement((db, p: Holder) =>
      db
        .updateTable(shared)
        .set({ ...claimedNow(db), ...renewedAndDue(db) })
        .where('id', '=', p.id)
        .where('claim', '=', p.claim)
        .where('ended_at', 'is', null)
        .where('due_at', '<=', databaseNow(db))
        .returningAll()
        .$castTo<Row>(),
    ),

    /** For the holder alone. */
    renew: statement((db, p: Holder) => db.updateTable(shared).set(renewedAndDue(db)).where(isHeld(p))),

    /** For the holder alone: a try begins, which counts even where its process ends within it. */
    noteTry: statement((db, p: Holder & { attempts: number }) =>
      db
        .updateTable(shared)
        .set({ ...renewedAndDue(db), attempts: p.attempts })
        .where(isHeld(p)),
    ),

    /** For the holder alone: it is looked at again `wait_ms` from now. */
    giveBack: statement(
      (db, p: Holder & { state: State; sentence: string | null; attempts: number; wait_ms: number }) =>
        db
          .updateTable(shared)
          .set((eb) => ({
            ...releasedNow,
            state: p.state as never,
            sentence: p.sentence,
            attempts: p.attempts,
            due_at: eb(databaseNow(db), '+', p.wait_ms),
          }))
          .where(isHeld(p)),
    ),

    /** For the holder alone. */
    end: statement(
      (db, p: Holder & { state: State; sentence: string | null; attempts: number; sent: 0 | 1 }) =>
        db
          .updateTable(shared)
          .set((eb) => ({
            ...releasedNow,
            state: p.state as never,
            sentence: p.sentence,
            attempts: p.attempts,
            sent_at: eb
              .case()
              .when(eb.val(p.sent), '=', 1)
              .then(eb.fn.coalesce('sent_at', databaseNow(db)))
              .else(eb.ref('sent_at'))
              .end(),
            ended_at: databaseNow(db),
          }))
          .where(isHeld(p)),
    ),
  };
}

/** For maintenance. */
function maintenanceStatements<Table extends keyof OutboxTables>(table: Table) {
  const shared = table as 'event_prints';
  return {
    /** Makes due what waits for longer than it can have been put off, because a clock was set back since. */
    shortenWaits: statement((db, p: { longestWaitMs: number }) =>
      db
        .updateTable(shared)
        .set({ due_at: databaseNow(db) })
        .where('ended_at', 'is', null)
        .where('lease_until', 'is', null)
        .where((eb) => eb('due_at', '>', eb(databaseNow(db), '+', p.longestWaitMs))),
    ),

    /** Takes rows from processes that are lost, and makes them due. */
    releaseLost: statement((db, _: Record<string, never>) =>
      db
        .updateTable(shared)
        .set({ ...releasedNow, due_at: databaseNow(db) })
        .where('lease_until', 'is not', null)
        .where(hasEndedLease(db)),
    ),
  };
}

/** Not what is left of an erased picture's print, for counts alone. */
const isShown = sql<boolean>`job_id <> ''`;

/** For those who show and erase it. */
function recordStatements<Table extends keyof OutboxTables>(table: Table) {
  type Row = OutboxTables[Table];
  const shared = table as 'event_prints';
  return {
    find: statement((db, p: { id: string; event_id: string }) =>
      db
        .selectFrom(shared)
        .selectAll()
        .where('id', '=', p.id)
        .where('event_id', '=', p.event_id)
        .where(isShown)
        .$castTo<Row>(),
    ),

    /** Newest first, before the row `before`. */
    list: statement((db, p: { event_id: string; before: string; limit: number }) =>
      db
        .selectFrom(shared)
        .selectAll()
        .where('event_id', '=', p.event_id)
        .where('id', '<', p.before)
        .where(isShown)
        .orderBy('id', 'desc')
        .limit(p.limit)
        .$castTo<Row>(),
    ),

    count: statement((db, p: { event_id: string }) =>
      db
        .selectFrom(shared)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('event_id', '=', p.event_id),
    ),

    deleteOfEvent: statement((db, p: { event_id: string }) =>
      db.deleteFrom(shared).where('event_id', '=', p.event_id),
    ),
  };
}
