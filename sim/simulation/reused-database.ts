import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { steadyClock } from '@guise/server/store/database-clock.ts';
import type { Db } from '@guise/server/store/db.ts';
import { connectSqlite, createSqliteDb } from '@guise/server/store/embedded/sqlite.ts';
import { migrateSqlite } from '@guise/server/store/migrate.ts';
import Database from 'better-sqlite3';
import { addChangeLog, type ChangeReader, openChangeReader } from '../rules/change-log.ts';

/** One database for all runs of a thread: migrating it and preparing its statements take as long as a short run. */
export interface ReusedDatabase {
  /** Reads it beside those who work on it. */
  reader: ChangeReader;
  /** Deletes every row, for the next run. */
  empty(): void;
  /** The store of a server that starts now: its clock begins anew, and nothing is under way. */
  open(): Db;
  remove(): void;
}

export async function createReusedDatabase(): Promise<ReusedDatabase> {
  const folder = mkdtempSync(join(memoryFolder(), 'guise-sim-'));
  const file = join(folder, 'run.db');
  await migrateSqlite(file);
  addChangeLog(file);
  const reader = openChangeReader(file);
  let now = steadyClock();
  const connections = connectSqlite(file, () => now());
  const { native: writer } = connections.writer;
  const deletions = prepareDeletions(file);
  const rollBack = async () => {
    if (writer.inTransaction) writer.exec('rollback');
  };
  return {
    reader,
    empty() {
      deletions.run();
      reader.beginAnew();
    },
    open() {
      now = steadyClock();
      return { ...createSqliteDb(connections, now), close: rollBack };
    },
    remove() {
      for (const connection of [reader, deletions, connections.reader.native, writer]) connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** On a connection of its own, which minds no foreign keys. */
function prepareDeletions(file: string) {
  const connection = new Database(file);
  connection.pragma('foreign_keys = off');
  const tables = connection
    .prepare(`select name from sqlite_schema where type = 'table' and name not like 'kysely%'`)
    .pluck()
    .all() as string[];
  // The log comes last: triggers write into it what is deleted.
  const inOrder = [...tables.filter((name) => name !== 'simulated_changes'), 'simulated_changes'];
  const statements = inOrder.map((name) => connection.prepare(`delete from ${name}`));
  return {
    run: connection.transaction(() => {
      for (const statement of statements) statement.run();
    }),
    close: () => void connection.close(),
  };
}

/** Where commits need not wait for a disk, if there is such a place. */
function memoryFolder(): string {
  const inMemory = '/dev/shm';
  if (process.platform !== 'linux' || !existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize >= 2 ** 27 ? inMemory : tmpdir();
}
