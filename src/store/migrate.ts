import Database from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import * as first from './migrations/001-first.ts';
import * as workers from './migrations/002-workers.ts';

/** Append only: a migration that has shipped is never edited. */
const migrations: Record<string, Migration> = { '001-first': first, '002-workers': workers };

export async function migrateSqlite(file: string): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Database(file) }) });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  await db.destroy();
  if (error) throw error;
}
