import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Schema } from './schema.ts';
import { columns, type Statement, statement } from './statement.ts';

/**
 * The tables that move from an embedded installation to a shared one, in the order of their foreign keys. Workers,
 * locks and counts of the last minutes are of running processes and stay behind.
 */
export const movedTables = [
  'accounts',
  'credentials',
  'sessions',
  'sign_in_links',
  'ledger',
  'custom_filters',
  'custom_filter_versions',
  'custom_filter_checks',
  'renders',
  'aliases',
  'jobs',
  'former_usage',
  'idempotency',
  'dead_letters',
  'webhooks',
  'webhook_endpoints',
  'webhook_secrets',
  'photo_sets',
  'photos',
  'scenes',
  'qa_runs',
  'qa_cells',
  'quick_test_links',
  'quick_test_runs',
  'booth_events',
  'event_consents',
  'event_overlays',
  'event_guests',
  'event_jobs',
  'event_stations',
  'printers',
  'event_prints',
  'event_mails',
] as const satisfies (keyof Schema)[];
export type MovedTable = (typeof movedTables)[number];

type Row = Record<string, unknown>;

/** An embedded database, read row by row. */
export function readEmbedded(file: string) {
  const source = new Database(file, { readonly: true });
  return {
    count: (table: MovedTable): number =>
      source.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0,
    rows: (table: MovedTable): IterableIterator<Row> =>
      source.prepare<[], Row>(`select * from ${table}`).iterate(),
    close: () => void source.close(),
  };
}

/** Inserts a whole row, generated id included, so that cursors and links stay valid. */
export function insertRow(table: MovedTable, row: Row): Statement<Row, unknown> {
  const names = Object.keys(row);
  return statement((db, p: Row) => db.insertInto(table).values(columns(p, names) as never));
}

export const countRows = Object.fromEntries(
  movedTables.map((table) => [
    table,
    statement((db, _: Record<string, never>) =>
      db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count')),
    ),
  ]),
) as Record<MovedTable, Statement<Record<string, never>, { count: number }>>;

/** The sum of all ledger entries and the sum of all balances. */
export const ledgerSums = statement((db, _: Record<string, never>) =>
  db.selectNoFrom((eb) => [
    eb.fn
      .coalesce(
        eb.selectFrom('ledger').select(({ fn }) => fn.sum<number>('amount').as('sum')),
        eb.lit(0),
      )
      .as('entries'),
    eb.fn
      .coalesce(
        eb.selectFrom('accounts').select(({ fn }) => fn.sum<number>('balance').as('sum')),
        eb.lit(0),
      )
      .as('balances'),
  ]),
);

/** Sets PostgreSQL's counter of ledger ids past the ids that were inserted. */
export const continueLedgerIds = statement((db, _: Record<string, never>) =>
  db.selectNoFrom(
    sql<number>`setval(pg_get_serial_sequence('ledger', 'id'), (select coalesce(max(id), 0) + 1 from ledger), false)`.as(
      'next',
    ),
  ),
);
