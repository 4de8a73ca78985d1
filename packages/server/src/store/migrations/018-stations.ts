import type { Kysely } from 'kysely';

/** Booths of events with their last sign of life. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('event_stations')
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('id', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text')
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('waiting_photos', 'integer', (c) => c.notNull())
    .addColumn('prints', 'integer', (c) => c.notNull())
    .addColumn('page_version', 'text', (c) => c.notNull())
    .addColumn('first_seen_at', 'bigint', (c) => c.notNull())
    .addColumn('last_seen_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('event_stations_key', ['event_id', 'id'])
    .execute();
}
