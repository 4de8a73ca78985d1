import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp from 'sharp';
import { finishPicture } from '../../src/engines/decoding/child/finish-picture.ts';
import { cropPngRows } from '../../src/media/crop-png-rows.ts';
import { cutDeflated } from '../../src/media/cut-deflated.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-rows-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const picture = sharp(samplePhotos.onePerson).resize(240, 368, { fit: 'cover' }).removeAlpha();
const size = { width: 240, height: 360 };
const pixelsOf = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
const above = (bytes: Buffer) =>
  sharp(bytes)
    .extract({ left: 0, top: 0, ...size })
    .raw()
    .toBuffer();

for (const adaptiveFiltering of [true, false])
  test(`the first rows of a PNG are cut out with the same pixels, ${adaptiveFiltering ? 'filtered' : 'plain'}`, async () => {
    const png = await picture.clone().png({ adaptiveFiltering }).toBuffer();
    const cropped = await cropPngRows(png, size);
    assert.deepEqual(await pixelsOf(cropped), await above(png));
    const { width, height } = await sharp(cropped).metadata();
    assert.deepEqual({ width, height }, size);
  });

/** Filtered rows of a photo, of which no two encoders make the same blocks. */
const rows = await sharp(samplePhotos.onePerson).resize(600, 400).raw().toBuffer();
const text = Buffer.from('the same words, and again '.repeat(20_000));

test('deflated data of every kind is cut at any place, and what is before the last blocks stays as it is', async () => {
  const { Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE } = constants;
  const kinds = [0, 1, 6, 9].map((level) => ({ level }));
  const strategies = [Z_FIXED, Z_HUFFMAN_ONLY, Z_RLE].map((strategy) => ({ strategy }));
  const sizes = [{ memLevel: 1 }, { memLevel: 9 }, { windowBits: 9 }];
  for (const options of [...kinds, ...strategies, ...sizes])
    for (const data of [rows, text])
      for (const length of [1, 100_000, data.length - 8000, data.length - 1]) {
        const deflated = deflateSync(data, options);
        const cut = Buffer.concat(await cutDeflated(deflated, { length, inflatedLength: data.length }));
        // Inflating compares the checksum.
        assert.ok(
          inflateSync(cut).equals(data.subarray(0, length)),
          `${JSON.stringify(options)} at ${length}`,
        );
      }
  const deflated = deflateSync(rows);
  const cut = await cutDeflated(deflated, { length: rows.length - 8000, inflatedLength: rows.length });
  assert.ok(cut[0]!.length > deflated.length - 120_000, `only ${cut[0]!.length} of ${deflated.length} bytes`);
});

test('data that is followed by something else is cut where it would be without, and broken data is refused', async () => {
  const asked = { length: rows.length - 8000, inflatedLength: rows.length };
  const deflated = deflateSync(rows);
  const followed = Buffer.concat([deflated, deflateSync(rows.subarray(0, 90_000)).subarray(2)]);
  assert.ok(
    inflateSync(Buffer.concat(await cutDeflated(followed, asked))).equals(rows.subarray(0, asked.length)),
  );
  const broken = Buffer.from(deflated);
  broken.writeUInt8(broken.at(-50_000)! ^ 0x10, broken.length - 50_000);
  await assert.rejects(cutDeflated(broken, asked));
  await assert.rejects(cutDeflated(deflated.subarray(0, -9), asked));
  await assert.rejects(cutDeflated(deflateSync(rows.subarray(0, -1)), asked), /less than it says/);
});

/** What a server made, as a job gets it. */
async function finished(bytes: Buffer) {
  const [source, target] = [join(folder, 'source'), join(folder, 'target.png')];
  writeFileSync(source, bytes);
  const shape = { ...size, exact: true, type: 'image/png', seconds: null } as never;
  const notes = await finishPicture({ source, target, shape }, () => {});
  return { notes, bytes: readFileSync(target) };
}

test('a picture whose sides are by 16 is cut to the size of the result, with provenance alone as metadata', async () => {
  const png = await picture
    .clone()
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .png()
    .toBuffer();
  const { notes, bytes } = await finished(png);
  assert.deepEqual(notes, []);
  assert.deepEqual(await pixelsOf(bytes), await above(png));
  assert.ok(!bytes.includes('Somebody') && bytes.includes('XML:com.adobe.xmp'));
});

test('one whose data is cut off or black is refused, and an interlaced one is encoded again', async () => {
  const png = await picture.clone().png().toBuffer();
  const broken = Buffer.from(png);
  broken.fill(0, png.length - 400, png.length - 60);
  await assert.rejects(finished(broken), { code: 'ENGINE_BROKE' });
  const black = sharp({ create: { ...size, height: 368, channels: 3, background: '#000000' } });
  await assert.rejects(finished(await black.png().toBuffer()), /black/);
  const interlaced = await picture.clone().png({ progressive: true }).toBuffer();
  assert.deepEqual(await pixelsOf((await finished(interlaced)).bytes), await above(interlaced));
});
