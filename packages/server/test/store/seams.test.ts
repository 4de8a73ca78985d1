import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage } from '../../src/app/storage.ts';
import { diskBlobs } from '../../src/store/blobs-disk.ts';
import { s3Blobs } from '../../src/store/blobs-s3.ts';
import { temporaryConfig } from '../support/harness.ts';
import { startPostgres } from '../support/postgres-server.ts';
import { startS3 } from '../support/s3.ts';
import { testBlobs, testQueue } from './seams.ts';

testQueue('the jobs table', async () => {
  const config = temporaryConfig();
  const store = await openStorage(config);
  const close = async () => {
    await store.close();
    rmSync(config.dataDir, { recursive: true, force: true });
  };
  return { ...store, limited: (accountConcurrency) => openStorage({ ...config, accountConcurrency }), close };
});

testQueue('pg-boss', async () => {
  const server = await startPostgres();
  const config = temporaryConfig({ databaseUrl: await server.database() });
  const store = await openStorage(config);
  const close = async () => {
    await store.close();
    await server.stop();
    rmSync(config.dataDir, { recursive: true, force: true });
  };
  return { ...store, limited: (accountConcurrency) => openStorage({ ...config, accountConcurrency }), close };
});

testBlobs('files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guise-blobs-'));
  return { blobs: diskBlobs(folder), close: async () => rmSync(folder, { recursive: true, force: true }) };
});

testBlobs('S3', async () => {
  const server = await startS3();
  const blobs = s3Blobs(server.place());
  const close = async () => {
    await blobs.close();
    await server.stop();
  };
  return { blobs, close };
});
