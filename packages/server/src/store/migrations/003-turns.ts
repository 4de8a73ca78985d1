import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('turn', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  // In its place: SQLite would take the old one for who is next, and sort everything that waits.
  await db.schema.dropIndex('jobs_by_state').execute();
  await db.schema.createIndex('jobs_by_turn').on('jobs').columns(['state', 'turn', 'id']).execute();
  await db.schema
    .createIndex('jobs_waiting_by_account')
    .on('jobs')
    .columns(['account_id', 'turn'])
    .where(sql<boolean>`state = 'queued'`)
    .execute();
}
