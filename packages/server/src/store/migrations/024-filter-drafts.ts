import type { Kysely } from 'kysely';

/**
 * Versions of custom filters that are not live yet, and what was checked of them. The columns have defaults because
 * processes of the version before go on inserting rows until they are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    db.schema
      .alterTable('custom_filter_versions')
      .addColumn('draft', 'integer', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('custom_filters').addColumn('draft_version', 'integer'),
    db.schema.alterTable('custom_filters').addColumn('draft_changed_at', 'bigint'),
  ];
  // SQLite adds one column at a time.
  for (const column of columns) await column.execute();
  await db.schema
    .createTable('custom_filter_checks')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('filter_id', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('position', 'integer', (c) => c.notNull())
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('photo', 'text')
    .addColumn('outcome', 'text', (c) => c.notNull())
    .addColumn('sentences', 'text', (c) => c.notNull())
    .addColumn('picture', 'text')
    .execute();
  await db.schema
    .createIndex('custom_filter_checks_by_version')
    .on('custom_filter_checks')
    .columns(['filter_id', 'version', 'position'])
    .execute();
}
