import type { Kysely } from 'kysely';

/** What events lay over their pictures. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('event_overlays')
    .addColumn('event_id', 'text', (c) => c.notNull())
    .addColumn('ratio', 'text', (c) => c.notNull())
    .addColumn('blob_key', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('event_overlays_key', ['event_id', 'ratio'])
    .execute();
}
