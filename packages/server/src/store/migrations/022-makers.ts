import type { Kysely } from 'kysely';

/**
 * Which key made a key, an event or a quick test link, and for jobs of the latter two whose budget pays for them. What was
 * made before has no maker: it goes on as the account's own.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite adds one column at a time.
  for (const table of ['credentials', 'booth_events', 'quick_test_links'])
    await db.schema.alterTable(table).addColumn('made_by', 'text').execute();
  await db.schema.alterTable('jobs').addColumn('maker_id', 'text').execute();
}
