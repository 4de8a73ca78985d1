import { copyFileSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateSqlite } from '@guise/server/store/migrate.ts';
import { addChangeLog } from './rules/change-log.ts';

/** Databases for one run after the other. Migrating one takes as long as a short run. */
export interface EmptyDatabases {
  /** The path of a new one, in place of the last. */
  next(): string;
  remove(): void;
}

export async function createEmptyDatabases(): Promise<EmptyDatabases> {
  const folder = mkdtempSync(join(memoryFolder(), 'guise-sim-'));
  const empty = join(folder, 'empty.db');
  await migrateSqlite(empty);
  addChangeLog(empty);
  let number = 0;
  const pathOf = () => join(folder, `run-${number}.db`);
  const removeLast = () => {
    for (const file of ['', '-wal', '-shm']) rmSync(pathOf() + file, { force: true });
  };
  return {
    next() {
      removeLast();
      number++;
      copyFileSync(empty, pathOf());
      return pathOf();
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Where commits need not wait for a disk, if there is such a place. */
function memoryFolder(): string {
  const inMemory = '/dev/shm';
  if (process.platform !== 'linux' || !existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize >= 2 ** 27 ? inMemory : tmpdir();
}
