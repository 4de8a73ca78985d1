import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { families } from '@guise/contract/families/families.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { allowOwnerOnly } from '../platform.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { diskBlobs } from '../store/embedded/blobs-disk.ts';
import { localQueue } from '../store/embedded/queue-local.ts';
import { openSqlite } from '../store/embedded/sqlite.ts';
import { type MessageBus, noMessageBus } from '../store/message-bus.ts';
import { migrateSqlite } from '../store/migrate.ts';
import type { Queue } from '../store/queue.ts';
import { startFault } from './start-faults.ts';

/** Records, queue and blobs, embedded or shared, as the settings choose. Callers do not depend on which. */
export interface Storage {
  db: Db;
  queue: Queue;
  blobs: Blobs;
  bus: MessageBus;
  close(): Promise<void>;
}

/** Whether other processes may stand on the same records. */
export const isShared = (config: Config) => config.databaseUrl !== '';

/** The records alone, for commands that need no server. */
export async function openStore(config: Config): Promise<Db> {
  const opened = isShared(config) ? openSharedRecords(config) : openEmbeddedRecords(config);
  return opened.catch((error) => {
    throw startFault(config, error);
  });
}

export async function openStorage(config: Config): Promise<Storage> {
  const blobs = await openBlobs(config);
  if (isShared(config)) return openShared(config, blobs);
  const db = await openEmbeddedRecords(config);
  return {
    db,
    queue: localQueue(db, config.accountConcurrency),
    blobs,
    bus: noMessageBus,
    close: () => db.close(),
  };
}

async function openEmbeddedRecords(config: Config): Promise<Db> {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const file = join(config.dataDir, 'guise.db');
  makePrivate(file);
  await migrateSqlite(file);
  return openSqlite(file);
}

/** The records hold keys, and the folder may be one that others can read. SQLite gives new files of its own this mode. */
function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const path of [file, `${file}-wal`, `${file}-shm`]) {
    if (existsSync(path)) allowOwnerOnly(path);
  }
}

/** What only a shared installation needs is loaded only there. */
async function openSharedRecords({ databaseUrl }: Config) {
  const { migratePostgres } = await import('../store/migrate.ts');
  const { openPostgres } = await import('../store/shared/postgres.ts');
  const { rethrowPostgresError } = await import('../store/shared/postgres-errors.ts');
  const db = openPostgres(databaseUrl);
  try {
    await retryUntilReachable(() => migratePostgres(databaseUrl).catch(rethrowPostgresError));
    await retryUntilReachable(db.followClock);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

/** Machines that start together are not ready together, and may go away once more while they do. */
const reachableWithinMs = 30_000;

async function retryUntilReachable(work: () => Promise<void>): Promise<void> {
  const until = performance.now() + reachableWithinMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError && error.retryable) || performance.now() > until) throw error;
      await sleep(250);
    }
  }
}

async function openShared(config: Config, blobs: Blobs): Promise<Storage> {
  const { bossQueue } = await import('../store/shared/queue-boss.ts');
  const { postgresListener } = await import('../store/shared/postgres-listener.ts');
  const { postgresMessageBus } = await import('../store/shared/message-bus-postgres.ts');
  const db = await openSharedRecords(config);
  const listener = postgresListener(db);
  const names = families.map((family) => family.name);
  const queue = await bossQueue(db, listener, names, config.accountConcurrency);
  const bus = postgresMessageBus(db, listener);
  return {
    db,
    queue,
    blobs,
    bus,
    async close() {
      await queue.close();
      await bus.close();
      await listener.close();
      await db.close();
    },
  };
}

export async function openBlobs({ s3, dataDir }: Config): Promise<Blobs> {
  if (!s3) return diskBlobs(join(dataDir, 'blobs'));
  const { s3Blobs } = await import('../store/shared/blobs-s3.ts');
  return s3Blobs(s3);
}
