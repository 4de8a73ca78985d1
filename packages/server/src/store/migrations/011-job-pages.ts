import { type Kysely, sql } from 'kysely';

/**
 * What the pages of jobs and usage read: the parts of a job's time, lists by family, filter, key and failure, what has changed
 * since a time, and the usage of jobs whose rows are gone. The columns have no constraints because processes of the
 * version before go on inserting rows until they are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    db.schema.alterTable('jobs').addColumn('filter_name', 'text'),
    db.schema.alterTable('jobs').addColumn('started_at', 'bigint'),
    db.schema.alterTable('jobs').addColumn('worker', 'text'),
    db.schema.alterTable('jobs').addColumn('engine', 'text'),
    db.schema.alterTable('jobs').addColumn('run_report', 'text'),
  ];
  // SQLite adds one column at a time.
  for (const column of columns) await column.execute();

  const jobs = (name: string) => db.schema.createIndex(name).on('jobs');
  await jobs('jobs_by_family').columns(['account_id', 'family', 'id']).execute();
  await jobs('jobs_by_filter')
    .columns(['account_id', 'filter_ref', 'id'])
    .where(sql<boolean>`filter_ref is not null`)
    .execute();
  await jobs('jobs_by_key')
    .columns(['account_id', 'key_id', 'id'])
    .where(sql<boolean>`key_id is not null`)
    .execute();
  await jobs('jobs_failed').columns(['account_id', 'id']).where(sql<boolean>`state = 'failed'`).execute();
  await jobs('jobs_ended')
    .columns(['account_id', 'finished_at'])
    .where(sql<boolean>`finished_at is not null`)
    .execute();
  for (const table of ['custom_filters', 'aliases']) {
    await db.schema
      .createIndex(`${table}_by_change`)
      .on(table)
      .columns(['account_id', 'updated_at'])
      .execute();
  }

  await db.schema
    .createTable('former_usage')
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('day', 'integer', (c) => c.notNull())
    .addColumn('family', 'text', (c) => c.notNull())
    .addColumn('filter_ref', 'text', (c) => c.notNull())
    .addColumn('key_id', 'text', (c) => c.notNull())
    .addColumn('jobs', 'integer', (c) => c.notNull())
    .addColumn('failed', 'integer', (c) => c.notNull())
    .addColumn('credits', 'integer', (c) => c.notNull())
    .addPrimaryKeyConstraint('former_usage_key', ['account_id', 'day', 'family', 'filter_ref', 'key_id'])
    .execute();
}
