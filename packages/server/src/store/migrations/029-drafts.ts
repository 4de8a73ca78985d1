import type { Kysely } from 'kysely';

/**
 * What aliases and events are to become, saved before it is live, and what the last of such changes of an event replaced.
 * The numbers have a default because processes of the version before go on inserting rows until they are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, draft] of [
    ['aliases', 'draft_filter'],
    ['booth_events', 'draft'],
  ] as const) {
    const columns = [
      db.schema.alterTable(table).addColumn(draft, 'text'),
      db.schema.alterTable(table).addColumn('draft_number', 'integer', (c) => c.notNull().defaultTo(0)),
      db.schema.alterTable(table).addColumn('draft_changed_at', 'bigint'),
    ];
    // SQLite adds one column at a time.
    for (const column of columns) await column.execute();
  }
  await db.schema.alterTable('booth_events').addColumn('replaced', 'text').execute();
}
