import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp from 'sharp';
import { finishPicture } from '../../src/engines/decoding/child/finish-picture.ts';
import { cropPngRows } from '../../src/media/crop-png-rows.ts';

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
    const cropped = cropPngRows(png, size);
    assert.deepEqual(await pixelsOf(cropped), await above(png));
    const { width, height } = await sharp(cropped).metadata();
    assert.deepEqual({ width, height }, size);
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
