import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * Custom filters have versions, and jobs say which one they were submitted with. A job's definition is in its row; the
 * photo of a template is a blob, so the job names it by its key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('custom_filters')
    .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema.alterTable('jobs').addColumn('filter_version', 'integer').execute();
  await db.schema.alterTable('jobs').addColumn('template', 'text').execute();
  const image =
    db.getExecutor().adapter instanceof PostgresAdapter
      ? sql`filter::json ->> 'image'`
      : sql`json_extract(filter, '$.image')`;
  await sql`update jobs set template = ${image}
    where state in ('queued', 'running') and filter like '{"kind":"template",%'`.execute(db);
  await db.schema
    .createIndex('jobs_by_template')
    .on('jobs')
    .column('template')
    .where(sql<boolean>`template is not null`)
    .execute();
}
