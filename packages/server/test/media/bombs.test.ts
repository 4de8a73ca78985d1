import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { samplePhoto } from './photo-files.ts';
import { chunk, pngOf, smallPng, zippedZeros } from './png-file.ts';

const photo = samplePhoto(1);

function gifOfFrames(count: number): Buffer {
  const screen = Buffer.from('GIF89a\x00\x10\x00\x10\x80\x00\x00\0\0\0\xff\xff\xff', 'latin1');
  const frame = Buffer.from('\x2c\0\0\0\0\x00\x10\x00\x10\x00\x02\x02\x4c\x01\x00', 'latin1');
  return Buffer.concat([screen, ...Array<Buffer>(count).fill(frame), Buffer.from(';')]);
}

function svgOfReferences(depth: number): Buffer {
  const level = (n: number) => `<g id="g${n}">${`<use href="#g${n - 1}"/>`.repeat(10)}</g>`;
  const levels = Array.from({ length: depth }, (_, n) => level(n + 1)).join('');
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg"><g id="g0"><rect/></g>${levels}<use href="#g${depth}"/></svg>`,
  );
}

const bombs: Record<string, Buffer> = {
  'PNG of 16,384 × 16,384': pngOf(
    { width: 16384, height: 16384, colour: 6 },
    chunk('IDAT', zippedZeros(1025)),
  ),
  'PNG of 30,000 × 30,000 at one bit': pngOf(
    { width: 30000, height: 30000, depth: 1 },
    chunk('IDAT', zippedZeros(108)),
  ),
  'PNG of 2,147,483,647 × 2,147,483,647': pngOf(
    { width: 0x7fffffff, height: 0x7fffffff },
    chunk('IDAT', zippedZeros(1)),
  ),
  'PNG with a gigabyte in zTXt': smallPng(
    chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zippedZeros(1024)])),
  ),
  'PNG that declares a gigabyte of zTXt': smallPng(chunk('zTXt', Buffer.from('Comment\0\0'), 2 ** 30)),
  'PNG that declares a gigabyte of IDAT': pngOf(
    { width: 8, height: 8 },
    chunk('IDAT', Buffer.alloc(8), 2 ** 30),
  ),
  'GIF of 5,000 frames': gifOfFrames(5000),
  'SVG that expands a billionfold': svgOfReferences(9),
  'photo cut in half': photo.subarray(0, photo.length / 2),
  'photo with an archive after it': Buffer.concat([
    photo,
    Buffer.from('PK\x03\x04', 'latin1'),
    Buffer.alloc(1000, 1),
  ]),
  'photo inside a GIF': Buffer.concat([Buffer.from('GIF89a/*', 'latin1'), photo]),
  'gzip of a gigabyte': Buffer.concat(
    Array<Buffer>(16).fill(gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 1 })),
  ),
  'JPEG of 20 MB that is one scan of stuffed bytes': Buffer.concat([
    photo.subarray(0, photo.length - 2),
    Buffer.alloc(19 * 1024 * 1024, Buffer.from([0xff, 0])),
  ]),
  'PNG of a million empty chunks': smallPng(Buffer.alloc(12_000_000, chunk('tEXt'))).subarray(0, -12),
};

/** Costly to decode but within the limits, so they may pass; they may not cost more than the rest. */
const heavy: Record<string, Buffer> = {
  'interlaced PNG of 25 megapixels': pngOf(
    { width: 5000, height: 5000, depth: 16, colour: 6, interlace: 1 },
    chunk('IDAT', zippedZeros(191)),
  ),
  'interlaced PNG of 4 megapixels, small enough to be decoded': pngOf(
    { width: 2048, height: 2048, depth: 16, colour: 6, interlace: 1 },
    chunk('IDAT', zippedZeros(33)),
  ),
  'PNG whose text expands to 60 MB': smallPng(
    chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zippedZeros(60)])),
  ),
  'PNG whose profile expands to 280 MB': smallPng(
    chunk('iCCP', Buffer.concat([Buffer.from('P\0\0'), zippedZeros(280)])),
  ),
};

test('bombs are refused in under a second of processor time each, and none takes 100 MB of memory', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bombs-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const names = [...Object.keys(bombs), ...Object.keys(heavy)];
  const files = names.map((name, index) => {
    const file = join(folder, String(index));
    writeFileSync(file, (bombs[name] ?? heavy[name])!);
    return file;
  });
  // In a process of its own, whose memory nothing else has grown before.
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'inspect-files.ts'),
    ...files,
  ]);
  const reports = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { code: string; ms: number; grown: number });
  assert.equal(reports.length, names.length);
  for (const [index, { code, ms, grown }] of reports.entries()) {
    const name = names[index]!;
    if (bombs[name]) assert.equal(code, 'INVALID_IMAGE', name);
    assert.ok(ms < 1000, `${name} took ${ms} ms`);
    assert.ok(grown < 100e6, `${name} took ${grown} bytes`);
  }
});
