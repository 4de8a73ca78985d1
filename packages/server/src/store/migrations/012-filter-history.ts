import type { Kysely } from 'kysely';

/**
 * Versions of custom filters that were replaced are kept, people say which filters may go live, aliases have a filter to
 * fall back to, and definitions that are not saved can be tried. The columns have defaults because processes of the
 * version before go on inserting rows until they are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('custom_filter_versions')
    .addColumn('filter_id', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('definition', 'text', (c) => c.notNull())
    .addColumn('previews', 'text', (c) => c.notNull())
    .addColumn('note', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addPrimaryKeyConstraint('custom_filter_versions_key', ['filter_id', 'version'])
    .execute();
  const columns = [
    db.schema.alterTable('custom_filters').addColumn('note', 'text', (c) => c.notNull().defaultTo('')),
    db.schema.alterTable('custom_filters').addColumn('ready_by', 'text'),
    db.schema.alterTable('custom_filters').addColumn('ready_at', 'bigint'),
    db.schema.alterTable('aliases').addColumn('safe_filter', 'text'),
    db.schema.alterTable('aliases').addColumn('version', 'integer', (c) => c.notNull().defaultTo(1)),
    db.schema.alterTable('renders').addColumn('draft', 'text'),
  ];
  // SQLite adds one column at a time.
  for (const column of columns) await column.execute();
}
