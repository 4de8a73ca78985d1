import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskBlobs } from '../../src/store/embedded/blobs-disk.ts';
import { s3Blobs } from '../../src/store/shared/blobs-s3.ts';
import { startS3 } from '../support/s3.ts';
import { testBlobs } from './blobs-contract.ts';

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
