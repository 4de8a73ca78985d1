import assert from 'node:assert/strict';
import { test } from 'node:test';
import sharp from 'sharp';
import { whiteNoise } from '../../src/pixels/noise.ts';
import { readPhoto, workingSide } from '../../src/pixels/photo.ts';
import type { Picture } from '../../src/pixels/picture.ts';
import { bytesFromPicture, encodePng } from '../../src/pixels/png.ts';
import { RenderError } from '../../src/runtime/render-error.ts';
import { photoFile, sample } from '../support/sample-photos.ts';

/** A quarter each: red, green, blue, white. */
async function quarters(): Promise<Buffer> {
  const quarter = (background: string) =>
    sharp({ create: { width: 60, height: 40, channels: 3, background } })
      .png()
      .toBuffer();
  const [red, green, blue, white] = await Promise.all(
    ['#c02020', '#20c020', '#2020c0', '#ffffff'].map(quarter),
  );
  return sharp({ create: { width: 120, height: 80, channels: 3, background: '#000' } })
    .composite([
      { input: red!, left: 0, top: 0 },
      { input: green!, left: 60, top: 0 },
      { input: blue!, left: 0, top: 40 },
      { input: white!, left: 60, top: 40 },
    ])
    .png()
    .toBuffer();
}

function colourAt(picture: Awaited<ReturnType<typeof readPhoto>>, x: number, y: number): number[] {
  return picture.planes.map((plane) => Math.round(255 * plane[y * picture.width + x]!));
}

const near = (actual: number[], wanted: number[], by: number) =>
  assert.ok(
    actual.every((value, c) => Math.abs(value - wanted[c]!) <= by),
    `${actual} is not ${wanted}`,
  );

test('every EXIF orientation comes out upright', async () => {
  for (let orientation = 1; orientation <= 8; orientation++) {
    // Undo what the tag will do, so that every file shows the same picture.
    const upright = await quarters();
    const half = async (degrees: number) => sharp(await sharp(upright).rotate(degrees).png().toBuffer());
    const rotated = {
      1: () => sharp(upright),
      2: () => sharp(upright).flop(),
      3: () => sharp(upright).rotate(180),
      4: () => sharp(upright).flip(),
      5: async () => (await half(-90)).flip(),
      6: () => half(-90),
      7: async () => (await half(90)).flip(),
      8: () => half(90),
    }[orientation]!;
    const stored = (await rotated()).withMetadata({ orientation }).jpeg({ quality: 98 });
    const file = await photoFile(`rotated-${orientation}.jpg`, stored);
    const picture = await readPhoto(file);
    assert.deepEqual([picture.width, picture.height], [120, 80]);
    near(colourAt(picture, 10, 10), [192, 32, 32], 8);
    near(colourAt(picture, 110, 10), [32, 192, 32], 8);
    near(colourAt(picture, 10, 70), [32, 32, 192], 8);
  }
});

test('CMYK, 16-bit and grey photos are read as sRGB', async () => {
  const cmyk = await photoFile(
    'cmyk.jpg',
    sharp(await quarters())
      .toColourspace('cmyk')
      .jpeg({ quality: 98 }),
  );
  assert.equal((await sharp(cmyk).metadata()).space, 'cmyk');
  near(colourAt(await readPhoto(cmyk), 110, 70), [255, 255, 255], 12);
  const [red, green] = colourAt(await readPhoto(cmyk), 10, 10);
  assert.ok(red! > 130 && green! < 100);

  const deep = await photoFile(
    'deep.png',
    sharp(await quarters())
      .toColourspace('rgb16')
      .png(),
  );
  assert.equal((await sharp(deep).metadata()).depth, 'ushort');
  near(colourAt(await readPhoto(deep), 10, 10), [192, 32, 32], 3);

  const grey = await photoFile(
    'grey.png',
    sharp(await quarters())
      .greyscale()
      .png(),
  );
  // #c02020 is as bright as #636363.
  near(colourAt(await readPhoto(grey), 10, 10), [99, 99, 99], 2);
});

test('transparent parts are read as white', async () => {
  const clear = sharp({
    create: { width: 40, height: 40, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
  }).png();
  near(colourAt(await readPhoto(await photoFile('clear.png', clear)), 20, 20), [255, 255, 255], 0);
});

test('a photo of 25 megapixels is read at working size; a larger one is refused', async () => {
  const flat = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#406080' } }).jpeg();
  const picture = await readPhoto(await photoFile('large.jpg', flat(5000, 5000)));
  assert.deepEqual([picture.width, picture.height], [workingSide, workingSide]);
  await assert.rejects(readPhoto(await photoFile('larger.jpg', flat(5100, 5000))), refused);
});

const refused = (error: unknown) => error instanceof RenderError && error.code === 'ENGINE_REFUSED';

test('a corrupt or cut off file is refused', async () => {
  const whole = await sharp(sample(1)).jpeg().toBuffer();
  await assert.rejects(readPhoto(await photoFile('noise.jpg', Buffer.from('not a photo'))), refused);
  await assert.rejects(readPhoto(await photoFile('cut.jpg', whole.subarray(0, whole.length / 3))), refused);
});

test('a PNG keeps the picture, says how it was made, and carries nothing of the photo', async () => {
  const photo = await readPhoto(sample(1), 400);
  const png = await encodePng(photo);
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height, info.channels], [photo.width, photo.height, 3]);
  assert.deepEqual(new Uint8Array(data), bytesFromPicture(photo));
  const metadata = await sharp(png).metadata();
  assert.equal(metadata.format, 'png');
  assert.equal(metadata.exif, undefined);
  assert.equal(metadata.iptc, undefined);
  assert.match(metadata.xmp!.toString(), /digitalsourcetype\/compositeWithTrainedAlgorithmicMedia/);
  assert.ok((await sharp(sample(1)).metadata()).exif, 'the sample photo has EXIF to lose');
});

test('a PNG of any size is one that libpng reads: narrow, low, in one band and in several', async () => {
  for (const [width, height] of [
    [1, 1],
    [1, 300],
    [3000, 1],
    [13, 257],
    [641, 530],
  ] as const) {
    const channel = (seed: number) =>
      // Noise beside flat parts, and values that have to be clamped.
      whiteNoise({ width, height }, seed).data.map((value, i) => (i % 97 < 40 ? 0.5 : 1.4 * value - 0.2));
    const picture: Picture = { width, height, planes: [channel(1), channel(2), channel(3)] };
    const { data, info } = await sharp(await encodePng(picture), { failOn: 'warning' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height, info.channels], [width, height, 3]);
    assert.deepEqual(new Uint8Array(data), bytesFromPicture(picture));
  }
});
