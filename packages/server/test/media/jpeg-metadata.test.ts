import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { removeJpegMetadata } from '../../src/media/jpeg-metadata.ts';
import { samplePhoto } from '../support/harness.ts';

const photo = sharp(samplePhoto()).resize({ width: 160 });
const pixelsOf = (jpeg: Buffer) => sharp(jpeg).raw().toBuffer();

/** A segment of a JPEG with text in it. */
function segment(marker: number, text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([
    Buffer.from([0xff, marker, (bytes.length + 2) >> 8, (bytes.length + 2) & 255]),
    bytes,
  ]);
}

const insertAt = (jpeg: Buffer, at: number, bytes: Buffer) =>
  Buffer.concat([jpeg.subarray(0, at), bytes, jpeg.subarray(at)]);

describe('a JPEG without its metadata', () => {
  test('has nothing left of cameras, editors and what was appended, and the same pixels', async () => {
    const written = await photo
      .clone()
      .withExif({ IFD0: { Artist: 'SECRET exif' } })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET xmp</x:xmpmeta>')
      .withIccProfile('p3')
      .jpeg()
      .toBuffer();
    const secrets = [
      segment(0xe0, 'JFXX\0\x10SECRET thumbnail'),
      segment(0xed, 'Photoshop 3.0\0SECRET'),
      segment(0xef, 'SECRET'),
      segment(0xfe, 'SECRET comment'),
    ];
    const jpeg = Buffer.concat([insertAt(written, 2, Buffer.concat(secrets)), Buffer.from('SECRET tail')]);
    const plain = await removeJpegMetadata(jpeg);
    assert.equal(plain.includes('SECRET'), false);
    const { exif, xmp, icc, comments } = await sharp(plain).metadata();
    assert.deepEqual([exif, xmp, icc, comments], [undefined, undefined, undefined, undefined]);
    // Of the coded colours: without the profile, they are shown as other ones.
    const coded = (bytes: Buffer) => sharp(bytes).keepIccProfile().raw().toBuffer();
    assert.ok((await coded(plain)).equals(await coded(jpeg)));
  });

  for (const [kind, encoded] of Object.entries({
    'with a JFIF header': photo.clone().jpeg(),
    'of several scans': photo.clone().jpeg({ progressive: true }),
    'in grey': photo.clone().greyscale().jpeg(),
    'whose colours only Adobe’s segment tells': photo.clone().toColourspace('cmyk').jpeg(),
  }))
    test(`${kind} decodes to the same pixels`, async () => {
      const jpeg = await encoded.toBuffer();
      const plain = await removeJpegMetadata(jpeg);
      const [one, other] = [await sharp(jpeg).metadata(), await sharp(plain).metadata()];
      assert.deepEqual([other.width, other.height, other.space], [one.width, one.height, one.space]);
      assert.ok((await pixelsOf(plain)).equals(await pixelsOf(jpeg)));
    });

  test('is not made of a file that ends too early', async () => {
    const jpeg = await photo.clone().jpeg().toBuffer();
    await assert.rejects(removeJpegMetadata(jpeg.subarray(0, jpeg.length - 40)), { code: 'INVALID_IMAGE' });
  });
});
