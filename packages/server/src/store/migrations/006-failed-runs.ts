import type { Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('failed_runs')
    .addColumn('job_id', 'text', (c) => c.notNull())
    .addColumn('claim', 'integer', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('engine_ms', 'integer', (c) => c.notNull())
    .addColumn('ended_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('failed_runs_key', ['job_id', 'claim'])
    .execute();
  await db.schema
    .createIndex('failed_runs_by_account')
    .on('failed_runs')
    .columns(['account_id', 'ended_at'])
    .execute();
}
