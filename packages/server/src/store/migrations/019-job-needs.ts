import type { Kysely } from 'kysely';

/**
 * What a job needs of an engine, so that only workers that make it claim it. Jobs that are queued, and those that
 * processes of the version before go on inserting, have none: the first worker that claims one stores them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    db.schema.alterTable('jobs').addColumn('filter_kind', 'text'),
    db.schema.alterTable('jobs').addColumn('model', 'text'),
    db.schema.alterTable('jobs').addColumn('photo_count', 'integer'),
  ];
  // SQLite adds one column at a time.
  for (const column of columns) await column.execute();
}
