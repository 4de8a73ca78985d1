import { type Kysely, PostgresAdapter, sql } from 'kysely';

/**
 * PostgreSQL vacuums a table when a fifth of it has changed. Queued jobs are a small part of a table of millions, and
 * every job that leaves the queue leaves a dead row behind that the next claim has to skip.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (!(db.getExecutor().adapter instanceof PostgresAdapter)) return;
  await sql`alter table jobs set (
    autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 1000
  )`.execute(db);
}
