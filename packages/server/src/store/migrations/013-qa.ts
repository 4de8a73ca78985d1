import type { Kysely } from 'kysely';

/** Photo sets, QA runs over them, and links by which guests try a filter. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createPhotoSets(db);
  await createQaRuns(db);
  await createQuickTests(db);
}

async function createPhotoSets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('photo_sets')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('photo_sets_by_account')
    .on('photo_sets')
    .columns(['account_id', 'id'])
    .execute();
  await db.schema
    .createTable('photos')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('set_id', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('people', 'integer')
    .addColumn('width', 'integer', (c) => c.notNull())
    .addColumn('height', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('photos_by_set').on('photos').columns(['set_id', 'id']).execute();
}

async function createQaRuns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('qa_runs')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('filter_id', 'text', (c) => c.notNull())
    .addColumn('filter_name', 'text', (c) => c.notNull())
    .addColumn('filter_type', 'text', (c) => c.notNull())
    .addColumn('versions', 'text', (c) => c.notNull())
    .addColumn('photo_set_id', 'text', (c) => c.notNull())
    .addColumn('photo_set_name', 'text', (c) => c.notNull())
    .addColumn('price', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('qa_runs_by_account').on('qa_runs').columns(['account_id', 'id']).execute();
  await db.schema
    .createTable('qa_cells')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('run_id', 'text', (c) => c.notNull())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('photo_id', 'text', (c) => c.notNull())
    .addColumn('photo_name', 'text', (c) => c.notNull())
    .addColumn('people', 'integer')
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('job_id', 'text')
    .addColumn('submits', 'integer', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('verdict', 'text')
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('qa_cells_by_run').on('qa_cells').columns(['run_id', 'position']).execute();
  await db.schema.createIndex('qa_cells_by_job').on('qa_cells').column('job_id').execute();
}

async function createQuickTests(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('quick_test_links')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('filter_id', 'text', (c) => c.notNull())
    .addColumn('filter_name', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('runs', 'integer', (c) => c.notNull())
    .addColumn('runs_used', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('last_used', 'bigint')
    .execute();
  await db.schema
    .createIndex('quick_test_links_by_account')
    .on('quick_test_links')
    .columns(['account_id', 'id'])
    .execute();
  await db.schema
    .createTable('quick_test_runs')
    .addColumn('job_id', 'text', (c) => c.primaryKey())
    .addColumn('link_id', 'text', (c) => c.notNull())
    .addColumn('counted', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('quick_test_runs_by_link').on('quick_test_runs').column('link_id').execute();
  await db.schema.createIndex('quick_test_runs_by_time').on('quick_test_runs').column('created_at').execute();
}
