import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Deliveries of webhooks have ids of their own, so that a job may have several and an event of another kind none. The
 * delivery of a job's end keeps the job's id, which receivers know it by.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // SQLite cannot change a primary key: the rows move to a new table.
  await db.schema.alterTable('webhooks').renameTo('former_webhooks').execute();
  await db.schema
    .createTable('webhooks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('job_id', 'text')
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('state', 'text', (c) => c.notNull().defaultTo('pending'))
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'bigint', (c) => c.notNull())
    .addColumn('claim', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('lease_until', 'bigint')
    .addColumn('last_status_code', 'integer')
    .addColumn('last_error', 'text')
    .addColumn('created_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('delivered_at', 'bigint')
    .execute();
  await sql`insert into webhooks (id, job_id, account_id, url, body, state, attempts, due_at, claim, lease_until,
      last_status_code, last_error, created_at, delivered_at)
    select job_id, job_id, account_id, url, body, state, attempts, due_at, claim, lease_until,
      last_status_code, last_error, created_at, delivered_at from former_webhooks`.execute(db);
  await db.schema.dropTable('former_webhooks').execute();
  await createIndexes(db);
  if (db.getExecutor().adapter instanceof PostgresAdapter) await fillIdsOfFormerProcesses(db);
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  const index = (name: string) => db.schema.createIndex(name).on('webhooks');
  await index('webhooks_by_time').columns(['created_at', 'id']).execute();
  await index('webhooks_by_account').columns(['account_id', 'created_at', 'id']).execute();
  await index('webhooks_by_job').column('job_id').execute();
  await index('webhooks_pending')
    .columns(['account_id', 'due_at'])
    .where(sql<boolean>`state = 'pending'`)
    .execute();
  await index('webhooks_leased').column('lease_until').where(sql<boolean>`lease_until is not null`).execute();
}

/** Processes of the version before, which know no ids, go on inserting deliveries of jobs until they are replaced. */
async function fillIdsOfFormerProcesses(db: Kysely<unknown>): Promise<void> {
  await sql`create function fill_webhook_id() returns trigger language plpgsql as
    $$ begin new.id := coalesce(new.id, new.job_id); return new; end $$`.execute(db);
  await sql`create trigger webhooks_fill_id before insert on webhooks
    for each row execute function fill_webhook_id()`.execute(db);
}
