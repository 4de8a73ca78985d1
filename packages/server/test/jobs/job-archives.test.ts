import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { openStorage, type Storage } from '../../src/app/storage.ts';
import { createArchive, openArchive } from '../../src/job-pages/job-archives.ts';
import { zipStream } from '../../src/job-pages/zip-stream.ts';
import { temporaryConfig } from '../support/harness.ts';

const config = temporaryConfig();
let storage: Storage;
before(async () => {
  storage = await openStorage(config);
});
after(async () => {
  await storage.close();
  rmSync(config.dataDir, { recursive: true, force: true });
});

test('archives of the same jobs with other names are two archives', async () => {
  const gala = await createArchive(storage, 'account', { ids: [], title: 'Gala' });
  const plain = await createArchive(storage, 'account', { ids: [] });
  const again = await createArchive(storage, 'account', { ids: [], title: 'Gala' });
  assert.notEqual(plain.linkKey, gala.linkKey);
  assert.equal(again.linkKey, gala.linkKey);
  const archive = (await openArchive(storage, gala.linkKey))!;
  archive.stream.destroy();
  assert.equal(archive.title, 'Gala');
});

test('an archive of more files than a zip counts has the count of zip64', async () => {
  const count = 0x10000 + 1;
  const file = { modified: new Date(), open: async () => [Buffer.from('x')] as never };
  const entries = Array.from({ length: count }, (_, at) => ({ ...file, name: String(at) }));
  let tail = Buffer.alloc(0);
  for await (const chunk of zipStream(entries)) tail = Buffer.concat([tail, chunk]).subarray(-98);
  assert.equal(tail.readUInt32LE(0), 0x06064b50, 'the end of a zip64');
  assert.equal(tail.readBigUInt64LE(32), BigInt(count));
  assert.equal(tail.readUInt16LE(98 - 12), 0xffff);
});
