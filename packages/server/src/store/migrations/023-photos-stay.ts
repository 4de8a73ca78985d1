import type { Kysely } from 'kysely';

/** Whether the photos of a job may not go to a company. There was none before: null is no. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('photos_stay', 'integer').execute();
}
