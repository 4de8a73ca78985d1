import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('turn', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  // Replaced, not kept: SQLite would use the old index to find the next job, and sort all queued ones.
  await db.schema.dropIndex('jobs_by_state').execute();
  await db.schema.createIndex('jobs_by_turn').on('jobs').columns(['state', 'turn', 'id']).execute();
  await db.schema
    .createIndex('jobs_waiting_by_account')
    .on('jobs')
    .columns(['account_id', 'turn'])
    .where(sql<boolean>`state = 'queued'`)
    .execute();
}
