import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Blobs } from './store/blobs.ts';
import { diskBlobs } from './store/blobs-disk.ts';
import type { Db } from './store/db.ts';
import { migrateSqlite } from './store/migrate.ts';
import type { Queue } from './store/queue.ts';
import { localQueue } from './store/queue-local.ts';
import { openSqlite } from './store/sqlite.ts';
import { noWire, type Wire } from './store/wire.ts';

/** Records, queue and blobs, embedded or shared, as the settings choose. Nobody above knows which. */
export interface Storage {
  db: Db;
  queue: Queue;
  blobs: Blobs;
  wire: Wire;
  close(): Promise<void>;
}

/** The records alone, for commands that need no server. */
export async function openStore(config: Config): Promise<Db> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = join(config.dataDir, 'guise.db');
  await migrateSqlite(file);
  return openSqlite(file);
}

export async function openStorage(config: Config): Promise<Storage> {
  const db = await openStore(config);
  return { db, queue: localQueue(db), blobs: openBlobs(config), wire: noWire, close: () => db.close() };
}

function openBlobs(config: Config): Blobs {
  return diskBlobs(join(config.dataDir, 'blobs'));
}

/** Whether other processes may stand on the same records. */
export const isShared = (config: Config) => config.databaseUrl !== '';
