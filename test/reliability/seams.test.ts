import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/app.ts';
import { diskBlobs } from '../../src/store/blobs-disk.ts';
import { localQueue } from '../../src/store/queue-local.ts';
import { temporaryConfig } from '../harness.ts';
import { testBlobs, testQueue } from './seams.ts';

testQueue('the jobs table', async () => {
  const config = temporaryConfig();
  const db = await openStore(config);
  const close = async () => {
    await db.close();
    rmSync(config.dataDir, { recursive: true, force: true });
  };
  return { db, queue: localQueue(db), close };
});

testBlobs('files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-blobs-'));
  return { blobs: diskBlobs(folder), close: async () => rmSync(folder, { recursive: true, force: true }) };
});
