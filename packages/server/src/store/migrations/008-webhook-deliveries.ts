import { type Kysely, sql } from 'kysely';

/**
 * Deliveries stay in the table `webhooks` after they have ended. The columns have defaults because processes of the
 * version before go on inserting rows until they are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    db.schema.alterTable('webhooks').addColumn('state', 'text', (c) => c.notNull().defaultTo('pending')),
    db.schema.alterTable('webhooks').addColumn('claim', 'integer', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('webhooks').addColumn('lease_until', 'bigint'),
    db.schema.alterTable('webhooks').addColumn('last_status_code', 'integer'),
    db.schema.alterTable('webhooks').addColumn('last_error', 'text'),
    db.schema.alterTable('webhooks').addColumn('created_at', 'bigint', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('webhooks').addColumn('delivered_at', 'bigint'),
  ];
  // SQLite adds one column at a time.
  for (const column of columns) await column.execute();
  await sql`update webhooks set created_at = due_at`.execute(db);
  await db.schema.dropIndex('webhooks_by_time').execute();
  await db.schema.createIndex('webhooks_by_time').on('webhooks').columns(['created_at', 'job_id']).execute();
  await db.schema
    .createIndex('webhooks_by_account')
    .on('webhooks')
    .columns(['account_id', 'created_at', 'job_id'])
    .execute();
  await db.schema
    .createIndex('webhooks_pending')
    .on('webhooks')
    .columns(['account_id', 'due_at'])
    .where(sql<boolean>`state = 'pending'`)
    .execute();
  await db.schema
    .createIndex('webhooks_leased')
    .on('webhooks')
    .column('lease_until')
    .where(sql<boolean>`lease_until is not null`)
    .execute();

  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull())
    .addColumn('url', 'text', (c) => c.notNull())
    .addColumn('failures', 'integer', (c) => c.notNull())
    .addColumn('failing_since', 'bigint')
    .addColumn('disabled_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint', (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex('webhook_endpoints_by_account')
    .on('webhook_endpoints')
    .columns(['account_id', 'created_at', 'id'])
    .execute();

  await db.schema
    .createTable('webhook_rates')
    .addColumn('name', 'text', (c) => c.primaryKey())
    .addColumn('minute', 'bigint', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('webhook_rates_by_minute').on('webhook_rates').column('minute').execute();

  await db.schema
    .createTable('webhook_secrets')
    .addColumn('account_id', 'text', (c) => c.primaryKey().references('accounts.id'))
    .addColumn('nonce', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('previous_nonce', 'text', (c) => c.notNull())
    .addColumn('previous_until', 'bigint', (c) => c.notNull())
    .addColumn('roll_key', 'text', (c) => c.notNull())
    .execute();
}
