import { type Kysely, PostgresAdapter, type RawBuilder, sql } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * The time of the database in milliseconds, one clock for all its processes. It stays the same during a statement, so
 * that an index can be searched with it.
 */
export function databaseNow(db: Kysely<Schema>): RawBuilder<number> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`
    : sql`cast(unixepoch('now', 'subsec') * 1000 as integer)`;
}
