import type { Kysely } from 'kysely';

/** Walls and galleries of events: what the operator says of a picture, and what the links of an event are checked by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('event_jobs')
    .addColumn('approval', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable('booth_events')
    .addColumn('links_version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable('booth_events').addColumn('gallery_password_hash', 'text').execute();
}
