import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { imageLimits } from '../../src/media/inspect-image.ts';
import { inspectHere } from '../support/decode-here.ts';
import { samplePhoto, smallPhotos } from './photo-files.ts';
import { chunk, pngOf, smallPng, zippedZeros } from './png-file.ts';

const photos = await smallPhotos();
const jpeg = photos['baseline JPEG']!;
const png = photos.PNG!;
const webp = photos['lossy WebP']!;

function invalid(sentence: RegExp) {
  return { name: 'AppError', code: 'INVALID_IMAGE', message: sentence };
}

function edited(file: Buffer, at: number, ...values: number[]): Buffer {
  const copy = Buffer.from(file);
  copy.set(values, at);
  return copy;
}

/** Where the first segment of this marker begins. */
function segment(file: Buffer, marker: number): number {
  return file.indexOf(Buffer.from([0xff, marker]));
}

async function animation(format: 'webp' | 'gif'): Promise<Buffer> {
  const frames = Buffer.concat([Buffer.alloc(32 * 32 * 3), Buffer.alloc(32 * 32 * 3, 255)]);
  const strip = sharp(frames, { raw: { width: 32, height: 64, channels: 3, pageHeight: 32 } });
  return strip.toFormat(format).toBuffer();
}

test('reads the type and size of every accepted kind of file', async () => {
  for (const [name, file] of Object.entries(photos)) {
    const type = `image/${/JPEG|PNG|WebP/.exec(name)![0].toLowerCase()}`;
    assert.deepEqual(await inspectHere(file), { type, width: 160, height: 120 }, name);
  }
});

test('reads photos as cameras write them', async () => {
  for (const number of [1, 2, 3, 4, 5, 6] as const) {
    const { width, height } = await sharp(samplePhoto(number)).metadata();
    assert.deepEqual(await inspectHere(samplePhoto(number)), { type: 'image/jpeg', width, height });
  }
});

test('a file that ends anywhere before its end is refused', async () => {
  for (const [name, file] of Object.entries(photos)) {
    for (let end = 0; end < file.length; end += 1 + Math.floor(end / 40)) {
      await assert.rejects(
        inspectHere(file.subarray(0, end)),
        { code: 'INVALID_IMAGE' },
        `${name} cut at ${end}`,
      );
    }
    await assert.rejects(inspectHere(file.subarray(0, -1)), invalid(/incomplete/), name);
  }
});

test('what phones append to a photo is tolerated', async () => {
  const video = Buffer.from('\0\0\0\x18ftypmp42', 'latin1');
  const appended = [
    Buffer.alloc(4096),
    jpeg,
    Buffer.concat([jpeg, jpeg]),
    video,
    Buffer.from('\0\0\x01\x0aSEFT'),
  ];
  for (const trailer of appended) {
    assert.equal((await inspectHere(Buffer.concat([jpeg, trailer]))).width, 160);
  }
  assert.equal((await inspectHere(Buffer.concat([png, Buffer.alloc(100, 0xaa)]))).width, 160);
});

test('a second file after the image is refused', async () => {
  const files = [
    'PK\x03\x04zip',
    '\0\0PK\x03\x04',
    '%PDF-1.7',
    '<script>',
    '\n<!DOCTYPE html>',
    '<?php ',
    '#!/bin/sh',
    'MZ',
  ];
  for (const image of [jpeg, png, webp]) {
    for (const file of files) {
      const polyglot = Buffer.concat([image, Buffer.from(file, 'latin1')]);
      await assert.rejects(inspectHere(polyglot), invalid(/another file/), file);
    }
  }
});

test('an image after something else is refused', async () => {
  for (const opening of [
    'GIF89a',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '%PDF-1.7\n',
    'PK\x03\x04',
    'BM',
    '\n',
    '\xff',
  ]) {
    for (const image of [jpeg, png, webp]) {
      const polyglot = Buffer.concat([Buffer.from(opening, 'latin1'), image]);
      await assert.rejects(inspectHere(polyglot), invalid(/must be a PNG, JPEG or WebP/), opening);
    }
  }
});

test('other formats are refused by content', async () => {
  const others = {
    gif: await animation('gif'),
    tiff: await sharp(png).tiff().toBuffer(),
    avif: await sharp(png).avif({ effort: 0 }).toBuffer(),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'),
    text: Buffer.from('not an image at all'),
    zeros: Buffer.alloc(1000),
  };
  for (const [name, file] of Object.entries(others)) {
    await assert.rejects(inspectHere(file), invalid(/must be a PNG, JPEG or WebP/), name);
  }
});

test('an empty file and one over 20 MB are refused', async () => {
  await assert.rejects(inspectHere(Buffer.alloc(0)), invalid(/empty/));
  const padded = Buffer.concat([jpeg, Buffer.alloc(imageLimits.bytes)]);
  await assert.rejects(inspectHere(padded), invalid(/larger than 20 MB/));
  assert.equal((await inspectHere(padded.subarray(0, imageLimits.bytes))).width, 160);
});

test('25 megapixels are accepted and a row more is refused', async () => {
  const data = chunk('IDAT', Buffer.alloc(10));
  const largest = { type: 'image/png', width: 5000, height: 5000 };
  assert.deepEqual(await inspectHere(pngOf({ width: 5000, height: 5000 }, data)), largest);
  await assert.rejects(inspectHere(pngOf({ width: 5000, height: 5001 }, data)), invalid(/25 megapixels/));
  const frame = segment(jpeg, 0xc0);
  await assert.rejects(
    inspectHere(edited(jpeg, frame + 5, 0xff, 0xff, 0xff, 0xff)),
    invalid(/25 megapixels/),
  );
});

test('an image without width or height is refused', async () => {
  const data = chunk('IDAT', Buffer.alloc(10));
  await assert.rejects(inspectHere(pngOf({ width: 0, height: 10 }, data)), invalid(/damaged/));
  await assert.rejects(inspectHere(pngOf({ width: 10, height: 0 }, data)), invalid(/damaged/));
  await assert.rejects(inspectHere(edited(jpeg, segment(jpeg, 0xc0) + 5, 0, 0)), invalid(/damaged/));
});

test('a small file with a sound structure and spoilt content is refused', async () => {
  const data = png.indexOf('IDAT') + 4;
  await assert.rejects(inspectHere(edited(png, data, 0xff, 0xff, 0xff, 0xff)), invalid(/damaged/));
  const lossless = photos['lossless WebP']!;
  await assert.rejects(inspectHere(edited(lossless, 30, ...Buffer.alloc(200, 0xff))), invalid(/damaged/));
  const tables = segment(jpeg, 0xc4);
  await assert.rejects(inspectHere(edited(jpeg, tables + 5, ...Buffer.alloc(16, 0xfe))), invalid(/damaged/));
});

test('JPEG kinds that cannot be decoded are refused', async () => {
  const frame = segment(jpeg, 0xc0);
  for (const rare of [0xc3, 0xc5, 0xc9, 0xca, 0xcf]) {
    await assert.rejects(inspectHere(edited(jpeg, frame + 1, rare)), invalid(/rare kind of JPEG/));
  }
  await assert.rejects(inspectHere(edited(jpeg, frame + 4, 12)), invalid(/rare kind of JPEG/));
});

test('a JPEG of more scans than photos have is refused', async () => {
  const start = segment(jpeg, 0xda);
  const scan = jpeg.subarray(start, -2);
  const scans = (count: number) =>
    Buffer.concat([jpeg.subarray(0, start), ...Array<Buffer>(count).fill(scan), jpeg.subarray(-2)]);
  await assert.rejects(inspectHere(scans(101)), invalid(/rare kind of JPEG/));
});

test('a JPEG without a frame, without a scan, or with two frames is refused', async () => {
  const frame = segment(jpeg, 0xc0);
  const frameEnd = frame + 2 + jpeg.readUInt16BE(frame + 2);
  const cuts = [
    Buffer.from([0xff, 0xd8, 0xff, 0xd9]),
    Buffer.concat([jpeg.subarray(0, segment(jpeg, 0xda)), Buffer.from([0xff, 0xd9])]),
    Buffer.concat([jpeg.subarray(0, frame), jpeg.subarray(frameEnd)]),
    Buffer.concat([jpeg.subarray(0, frameEnd), jpeg.subarray(frame)]),
  ];
  for (const file of cuts) await assert.rejects(inspectHere(file), invalid(/damaged/));
});

test('a PNG whose header or order of chunks is wrong is refused', async () => {
  const data = chunk('IDAT', Buffer.alloc(10));
  const size = { width: 8, height: 8 };
  const wrong = {
    'a wrong checksum in the header': edited(png, 29, png[29]! ^ 1),
    'a size that does not match its checksum': edited(png, 18, 1),
    'an impossible depth': pngOf({ ...size, depth: 3 }, data),
    'an impossible colour type': pngOf({ ...size, colour: 5 }, data),
    'a palette picture without palette': pngOf({ ...size, colour: 3 }, data),
    'no data': pngOf(size),
    'a second header': smallPng(png.subarray(8, 33)),
    'a chunk before the header': Buffer.concat([png.subarray(0, 8), chunk('tEXt'), png.subarray(8)]),
  };
  for (const [name, file] of Object.entries(wrong))
    await assert.rejects(inspectHere(file), invalid(/damaged/), name);
});

test('a PNG may carry its text and profile, but no more than editors write', async () => {
  const text = (type: string, data: Buffer, declared?: number) => smallPng(chunk(type, data, declared));
  const keyword = (flag: string) => Buffer.from(`XML:com.adobe.xmp\0${flag}\0\0\0`, 'latin1');
  const xmp = Buffer.concat([keyword('\0'), Buffer.alloc(500_000, 'x')]);
  assert.equal((await inspectHere(text('iTXt', xmp))).width, 8);
  assert.equal(
    (await inspectHere(text('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zippedZeros(1)])))).width,
    8,
  );
  const tooMuch = [
    text('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zippedZeros(80)])),
    text('iTXt', Buffer.concat([keyword('\x01'), zippedZeros(80)])),
    smallPng(
      ...Array<Buffer>(80).fill(chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zippedZeros(1)]))),
    ),
    text('iCCP', Buffer.alloc(3_000_000)),
    text('zTXt', Buffer.from('Comment\0\0'), 1_000_000_000),
  ];
  for (const file of tooMuch) await assert.rejects(inspectHere(file), invalid(/too much text/));
});

test('a chunk that declares more than the file holds is refused', async () => {
  await assert.rejects(
    inspectHere(smallPng(chunk('tEXt', Buffer.from('K\0v'), 1_000_000_000))),
    invalid(/incomplete/),
  );
  await assert.rejects(
    inspectHere(smallPng(chunk('tEXt', Buffer.from('K\0v'), 0xffffffff))),
    invalid(/damaged/),
  );
  await assert.rejects(inspectHere(edited(webp, 4, 0xff, 0xff, 0xff, 0x7f)), invalid(/incomplete/));
  await assert.rejects(inspectHere(edited(webp, 16, 0xff, 0xff, 0xff, 0x7f)), invalid(/incomplete/));
});

test('an animated WebP is refused, an animated PNG counts as its still picture', async () => {
  await assert.rejects(inspectHere(await animation('webp')), invalid(/Animated WebP/));
  assert.equal((await inspectHere(smallPng(chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))))).width, 8);
});

test('a WebP whose canvas is not its picture is refused', async () => {
  const extended = photos['WebP with alpha and Exif']!;
  assert.equal(extended.toString('latin1', 12, 16), 'VP8X');
  await assert.rejects(inspectHere(edited(extended, 24, 0xff, 0x0f)), invalid(/damaged/));
});

test('a large photo costs less than 1.5 ms of the event loop', async () => {
  const photo = await sharp(samplePhoto(6))
    .resize(2464, 1648, { fit: 'cover' })
    .jpeg({ quality: 96 })
    .toBuffer();
  assert.ok(photo.length > 1_000_000);
  const spent: number[] = [];
  for (let run = 0; run < 60; run++) {
    const before = process.threadCpuUsage();
    await inspectHere(photo);
    const { user, system } = process.threadCpuUsage(before);
    spent.push((user + system) / 1000);
  }
  // The best of many: other work on the machine only ever adds.
  assert.ok(Math.min(...spent) < 1.5, `${Math.min(...spent)} ms`);
});
