import type { Kysely } from 'kysely';

/**
 * Roles of accounts, scopes and budgets of keys, sessions of browsers and links that sign in once. The columns have
 * defaults because processes of the version before go on inserting rows until they are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    db.schema.alterTable('accounts').addColumn('role', 'text', (c) => c.notNull().defaultTo('account')),
    db.schema.alterTable('credentials').addColumn('scopes', 'text'),
    db.schema.alterTable('credentials').addColumn('budget', 'integer'),
    db.schema.alterTable('credentials').addColumn('spent', 'integer', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('credentials').addColumn('used_at', 'bigint'),
    db.schema.alterTable('credentials').addColumn('version', 'integer', (c) => c.notNull().defaultTo(1)),
    db.schema.alterTable('jobs').addColumn('key_id', 'text'),
  ];
  // SQLite adds one column at a time.
  for (const column of columns) await column.execute();
  await db.schema
    .createIndex('credentials_by_account')
    .on('credentials')
    .columns(['account_id', 'id'])
    .execute();

  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('hash', 'text', (c) => c.notNull().unique())
    .addColumn('previous_hash', 'text', (c) => c.unique())
    .addColumn('rotated_at', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('user_agent', 'text', (c) => c.notNull())
    .execute();
  await db.schema.createIndex('sessions_by_account').on('sessions').columns(['account_id', 'id']).execute();
  await db.schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute();

  await db.schema
    .createTable('sign_in_links')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('accounts.id'))
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute();
}
