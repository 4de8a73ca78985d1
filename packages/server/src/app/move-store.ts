import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import type { Config } from '../config.ts';
import { createChanges } from '../jobs/changes.ts';
import { requeueExpired } from '../jobs/requeue-expired.ts';
import { lastingPrefixes, livePrefixes } from '../jobs/sweep.ts';
import { copyBlobs } from '../store/copy-blobs.ts';
import { assertEmpty, copyRows, type ReportProgress } from '../store/copy-rows.ts';
import { lockFolder } from '../store/folder-lock.ts';
import { moveRefused } from '../store/move-refused.ts';
import { jobHooks } from './installed-hooks.ts';
import { openStorage } from './storage.ts';

/**
 * Copies the embedded installation of `config` to the shared one of `target`. Blobs go first, because rows name them.
 * Where `target` has no bucket, they stay where they are. The source is not changed.
 */
export async function moveStore(config: Config, target: Config, report: ReportProgress): Promise<void> {
  const file = join(config.dataDir, 'guise.db');
  if (!existsSync(file)) throw moveRefused(`There is no embedded installation in ${config.dataDir}.`);
  const lock = lockFolder(config.dataDir);
  try {
    const from = await openStorage({ ...config, databaseUrl: '', s3: null });
    const to = await openStorage(target);
    try {
      await assertEmpty(to.db);
      // No server has the folder, so whoever held these jobs is gone: they are queued again, there as here.
      const log = pino({ level: config.logLevel });
      const ending = { ...from, changes: createChanges(), jobHooks, resultMs: config.resultMs, log };
      await requeueExpired(ending, Number.MAX_SAFE_INTEGER);
      if (target.s3) await copyBlobs(from.blobs, to.blobs, [...livePrefixes, ...lastingPrefixes], report);
      await copyRows(file, from.db, to, report);
    } finally {
      await from.close();
      await to.close();
    }
  } finally {
    lock.release();
  }
}
