import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createGate } from '../../src/admission/admission.ts';
import { Upload } from '../../src/media/upload.ts';
import { UploadStore } from '../../src/media/upload-store.ts';
import { samplePhoto, smallPhotos } from './photo-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-uploads-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const mb = 1024 * 1024;

const photo = samplePhoto(2);
const decoder = { checkPicture: async () => {} };
const smallPhoto = (await smallPhotos())['baseline JPEG']!;
const largePhoto = Buffer.concat([photo, Buffer.alloc(3 * mb, 0xaa)]);

async function upload(store: UploadStore, bytes: Buffer, isExpected = true): Promise<Upload> {
  const text = Buffer.from(bytes.toString('base64'));
  const opened = new Upload(store, isExpected ? text.length : undefined);
  for (let at = 0; at < text.length; at += 50_000) {
    opened.write(text, at, Math.min(at + 50_000, text.length));
    await opened.settle();
  }
  opened.end();
  await opened.settle();
  return opened;
}

async function bytesOf({ bytes }: Upload): Promise<Buffer> {
  if (Buffer.isBuffer(bytes)) return bytes;
  const parts: Buffer[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

for (const isExpected of [true, false]) {
  test(`small images stay in memory, large ones go to a file without a name, their size being ${isExpected ? 'known' : 'unknown'}`, () =>
    keepSmallInMemory(isExpected));
}

async function keepSmallInMemory(isExpected: boolean): Promise<void> {
  const store = new UploadStore(folder, createGate('large_images'));
  const [small, large] = [
    await upload(store, smallPhoto, isExpected),
    await upload(store, largePhoto, isExpected),
  ];
  assert.ok(Buffer.isBuffer(small.bytes));
  assert.ok(!Buffer.isBuffer(large.bytes));
  assert.deepEqual(readdirSync(folder), []);
  for (const [opened, expected] of [
    [small, smallPhoto],
    [large, largePhoto],
  ] as const) {
    assert.ok((await bytesOf(opened)).equals(expected));
    assert.ok((await bytesOf(opened)).equals(expected), 'a second time');
    assert.equal((await opened.inspect(decoder, { accountId: 'a' })).type, 'image/jpeg');
    await opened.discard();
    await opened.discard();
  }
  assert.equal((await bytesOf(large)).length, 0);
}

test('when memory is used up, small images go to the disk, until it is free again', async () => {
  const store = new UploadStore(folder, createGate('large_images'), 1 * mb);
  const held: Upload[] = [];
  for (let n = 0; n < 10; n++) held.push(await upload(store, photo));
  const kinds = held.map(({ bytes }) => Buffer.isBuffer(bytes));
  assert.ok(kinds.includes(true) && kinds.includes(false), `${kinds}`);
  for (const opened of held) {
    assert.ok((await bytesOf(opened)).equals(photo));
    assert.equal((await opened.inspect(decoder, { accountId: 'a' })).type, 'image/jpeg');
  }
  await Promise.all(held.map((opened) => opened.discard()));
  const next = await upload(store, photo);
  assert.ok(Buffer.isBuffer(next.bytes));
  await next.discard();
});

test('images in files are inspected one after the other, and what is wrong with them is told to each', async () => {
  const store = new UploadStore(folder, createGate('large_images'));
  const damaged = Buffer.concat([photo.subarray(0, 1000), Buffer.alloc(3 * mb, 0)]);
  const files = await Promise.all([largePhoto, damaged, largePhoto].map((bytes) => upload(store, bytes)));
  const results = await Promise.allSettled(
    files.map((opened) => opened.inspect(decoder, { accountId: 'a' })),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  await Promise.all(files.map((opened) => opened.discard()));
});

test('accounts take turns at the inspection of large images, and one that waits for a decoder holds nobody up', async () => {
  const store = new UploadStore(folder, createGate('large_images'), 0);
  const ended: string[] = [];
  const inspect = async (accountId: string, bytes: Buffer, check = async () => {}) => {
    const opened = await upload(store, bytes);
    return async () => {
      await opened.inspect({ checkPicture: check }, { accountId });
      ended.push(accountId);
      await opened.discard();
    };
  };
  const decoderIsFree = Promise.withResolvers<void>();
  const waiting = (await inspect('waits', smallPhoto, () => decoderIsFree.promise))();
  const greedy = await Promise.all(Array.from({ length: 4 }, () => inspect('greedy', largePhoto)));
  const other = await inspect('other', largePhoto);
  await Promise.all([...greedy, other].map((begin) => begin()));
  assert.deepEqual(ended, ['greedy', 'other', 'greedy', 'greedy', 'greedy']);
  decoderIsFree.resolve();
  await waiting;
});

test('a disk without room is 503 with Retry-After', {
  skip: process.platform !== 'linux' && 'writes to /dev/full',
}, async () => {
  const file = await open('/dev/full', 'w');
  await assert.rejects(new UploadStore(folder, createGate('large_images')).write(file, photo), {
    code: 'STORAGE_UNAVAILABLE',
    headers: { 'retry-after': '30' },
  });
  await file.close();
});
