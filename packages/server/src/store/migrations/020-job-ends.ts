import { type Kysely, sql } from 'kysely';

/**
 * Which failed jobs were cancelled, and which job a quick test link paid for; when a sign-in link was used. The columns
 * have no constraints because processes of the version before go on inserting rows until they are replaced.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const columns = [
    db.schema.alterTable('jobs').addColumn('cancelled', 'integer'),
    db.schema.alterTable('jobs').addColumn('quick_test_link_id', 'text'),
    db.schema.alterTable('former_usage').addColumn('cancelled', 'integer', (c) => c.notNull().defaultTo(0)),
    db.schema.alterTable('sign_in_links').addColumn('used_at', 'bigint'),
  ];
  // SQLite adds one column at a time.
  for (const column of columns) await column.execute();
  // The version before knew a cancelled job by its sentence alone, and the job of a link by the link's list.
  await sql`update jobs set cancelled = 1 where state = 'failed' and error = 'The job was cancelled.'`.execute(
    db,
  );
  await sql`update jobs set quick_test_link_id =
    (select link_id from quick_test_runs where quick_test_runs.job_id = jobs.id)
    where id in (select job_id from quick_test_runs)`.execute(db);
}
