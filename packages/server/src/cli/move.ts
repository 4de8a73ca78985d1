import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { openStorage, type Storage } from '../app/storage.ts';
import { type Config, readConfig } from '../config.ts';
import { AppError } from '../errors.ts';
import { jobEvents } from '../jobs/events.ts';
import { requeueExpired } from '../jobs/requeue-expired.ts';
import { lastingPrefixes, livePrefixes } from '../jobs/sweep.ts';
import type { Blobs } from '../store/blobs.ts';
import {
  continueIds,
  countRows,
  insertRow,
  ledgerSums,
  type MovedTable,
  movedTables,
  readEmbedded,
} from '../store/copy.ts';
import type { Queries } from '../store/db.ts';
import { unbalancedAccounts } from '../store/ledger-records.ts';
import { lockFolder } from '../store/lock.ts';
import type { JobRow } from '../store/schema.ts';
import { findSetting, insertSetting } from '../store/settings.ts';
import type { Statement } from '../store/statement.ts';
import { type ProgressBar, progressBar } from './progress-bar.ts';

const moveRefused = (sentence: string) => new AppError('MOVE_REFUSED', sentence);

/**
 * Copies an embedded installation to a shared one. Blobs go first, because rows name them; all rows are one
 * transaction, which is held against the source before it ends. The source stays as it is.
 */
export async function moveStore(
  config: Config,
  to: string,
  blobsTo: string,
  bar: ProgressBar = progressBar(),
): Promise<void> {
  if (!existsSync(join(config.dataDir, 'guise.db')))
    throw moveRefused(`There is no embedded installation in ${config.dataDir}.`);
  const lock = lockFolder(config.dataDir);
  try {
    const source = await openStorage({ ...config, databaseUrl: '', s3: null });
    const target = await openStorage(targetOf(config, to, blobsTo));
    try {
      await mustBeEmpty(target.db);
      // No server has the folder, so whoever held these jobs is gone: they wait again, there as here.
      await requeueExpired(
        { ...source, events: jobEvents(), resultMs: config.resultMs, log: pino({ level: config.logLevel }) },
        Number.MAX_SAFE_INTEGER,
      );
      if (blobsTo !== '') await copyBlobs(source.blobs, target.blobs, bar);
      await copyRows(config, source, target, bar);
    } finally {
      bar.end();
      await source.close();
      await target.close();
    }
  } finally {
    lock.release();
  }
  console.log('Everything is copied and adds up. The data folder stays as it was.');
}

/** The settings say how to reach the bucket, the command line which. */
function targetOf(config: Config, to: string, blobsTo: string): Config {
  const { databaseUrl, s3 } = readConfig({ ...process.env, DATABASE_URL: to, GUISE_BLOBS: blobsTo });
  return { ...config, databaseUrl, s3 };
}

async function mustBeEmpty(db: Queries): Promise<void> {
  for (const table of movedTables) {
    const count = await countIn(db, table);
    if (count > 0) {
      throw moveRefused(
        `The target already has ${count} rows in ${table}: give the address of an empty database.`,
      );
    }
  }
}

async function countIn(db: Queries, table: MovedTable): Promise<number> {
  return (await db.one(countRows[table], {}))!.count;
}

async function copyRows(config: Config, source: Storage, target: Storage, bar: ProgressBar): Promise<void> {
  const embedded = readEmbedded(join(config.dataDir, 'guise.db'));
  try {
    await target.db.transaction(async (tx) => {
      for (const table of movedTables) {
        const total = embedded.count(table);
        let done = 0;
        let insert: Statement<Record<string, unknown>, unknown> | undefined;
        for (const row of embedded.rows(table)) {
          insert ??= insertRow(table, row);
          await tx.run(insert, row);
          if (table === 'jobs' && row.state === 'queued')
            await target.queue.enqueue(tx, row as unknown as JobRow);
          bar.show(table, ++done, total);
        }
        if (total === 0) bar.show(table, 0, 0);
      }
      await continueIds(tx);
      const secret = await source.db.one(findSetting, { name: 'link_secret' });
      if (secret) await tx.run(insertSetting, { name: 'link_secret', value: secret.value });
      await mustMatch(source.db, tx);
    });
  } finally {
    embedded.close();
  }
}

/** As many rows in every table, the same sums, and every account adds up. */
async function mustMatch(source: Queries, target: Queries): Promise<void> {
  for (const table of movedTables) {
    const [here, there] = [await countIn(source, table), await countIn(target, table)];
    if (here !== there)
      throw moveRefused(`${table} has ${here} rows here and ${there} there. Nothing was moved.`);
  }
  const [here, there] = [await source.one(ledgerSums, {}), await target.one(ledgerSums, {})];
  if (
    Number(here?.entries) !== Number(there?.entries) ||
    Number(here?.balances) !== Number(there?.balances)
  ) {
    throw moveRefused('The ledgers do not have the same sums. Nothing was moved.');
  }
  if ((await target.all(unbalancedAccounts, {})).length > 0)
    throw moveRefused('There are accounts that do not add up. Nothing was moved.');
}

/** A copy that was broken off goes on: blobs never change, so what is there in its full size is there. */
async function copyBlobs(source: Blobs, target: Blobs, bar: ProgressBar): Promise<void> {
  for (const prefix of [...livePrefixes, ...lastingPrefixes]) {
    const keys: string[] = [];
    for await (const { key } of source.list(prefix)) keys.push(key);
    let done = 0;
    const copyNext = async () => {
      for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
        await copyBlob(source, target, key);
        bar.show(`blobs: ${prefix}`, ++done, total);
      }
    };
    const total = keys.length;
    if (total === 0) bar.show(`blobs: ${prefix}`, 0, 0);
    await Promise.all(Array.from({ length: 8 }, copyNext));
  }
}

async function copyBlob(source: Blobs, target: Blobs, key: string): Promise<void> {
  const blob = await source.open(key);
  if (!blob) return;
  if ((await sizeOf(target, key)) === blob.size) {
    await blob.close();
    return;
  }
  await target.put(key, blob.stream());
  const copied = await sizeOf(target, key);
  if (copied !== blob.size) throw moveRefused(`${key} has ${blob.size} bytes here and ${copied} there.`);
}

async function sizeOf(blobs: Blobs, key: string): Promise<number | undefined> {
  const blob = await blobs.open(key);
  await blob?.close();
  return blob?.size;
}
