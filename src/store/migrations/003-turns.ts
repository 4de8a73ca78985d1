import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('turn', 'integer', (c) => c.notNull().defaultTo(0))
    .execute();
  const waiting = sql<boolean>`state = 'queued'`;
  await db.schema
    .createIndex('jobs_waiting_by_turn')
    .on('jobs')
    .columns(['turn', 'id'])
    .where(waiting)
    .execute();
  await db.schema
    .createIndex('jobs_waiting_by_account')
    .on('jobs')
    .columns(['account_id', 'turn'])
    .where(waiting)
    .execute();
}
