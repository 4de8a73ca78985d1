import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Ratio } from '@guise/contract/common.ts';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import sharp from 'sharp';
import type { Face } from '../../src/faces/face.ts';
import { locatePeople } from '../../src/picture-tasks/locate-people.ts';
import { layOverlay, prepareOverlay } from '../../src/picture-tasks/overlay.ts';
import { samplePhotos } from '../../src/samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'guise-overlay-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

interface Drawn {
  width: number;
  height: number;
  /** SVG in hundredths of the width and height. */
  shapes: string;
}

async function draw(name: string, { width, height, shapes }: Drawn): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none">${shapes}</svg>`;
  await sharp(Buffer.from(svg)).png().toFile(at(name));
  return at(name);
}

const footer = '<rect x="0" y="88" width="100" height="12" fill="#123456"/>';
const middle = '<rect x="40" y="35" width="20" height="20" fill="#fff"/>';
const prepare = async (shapes: string, ratio: Ratio = 'portrait', size = canvasSizes[ratio]) =>
  prepareOverlay({ file: await draw('drawn.png', { ...size, shapes }), ratio, output: at(`${ratio}.png`) });

/** A result of 1200 × 1800 in which the face is where `top` says. */
async function resultWith(top: number): Promise<string> {
  const person = await sharp(samplePhotos.onePerson).resize({ width: 1200 }).toBuffer();
  const file = at(`result-${top}.png`);
  await sharp({ create: { ...canvasSizes.portrait, channels: 3, background: '#556677' } })
    .composite([{ input: person, left: 0, top }])
    .png({ compressionLevel: 1 })
    .toFile(file);
  return file;
}

before(async () => {
  await prepare(footer);
});

test('an overlay that covers where faces are is refused, and the sentence says which part to keep clear', async () => {
  await assert.rejects(
    prepare(middle),
    /faces are\. Keep it clear from 20% to 80% of the width, .* and from 20% to 65% of the height/,
  );
  await assert.rejects(prepare('<rect width="100" height="100" fill="#fff"/>'), /no transparent part/);
  await assert.rejects(prepare(''), /transparent everywhere/);
  await assert.rejects(prepare(footer, 'portrait', canvasSizes.landscape), /not the shape of portrait/);
  await assert.rejects(prepare(footer, 'portrait', { width: 200, height: 300 }), /too few: send 1200 × 1800/);
  const faint = '<rect width="100" height="100" fill="#fff" opacity="0.05"/>';
  await prepare(faint, 'square');
});

test('an overlay is laid over a result of its shape, and left out where it would cover a face', async () => {
  const overlays = { portrait: at('portrait.png') };
  const offered: Ratio[] = ['portrait'];
  await prepare(footer);
  const clear = await resultWith(0);
  assert.deepEqual(await layOverlay({ file: clear, overlays, offered, output: at('laid.png') }), {
    ratio: 'portrait',
  });
  const pixel = async (file: string, left: number, top: number) => [
    ...(await sharp(file).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
  ];
  assert.deepEqual(await pixel(at('laid.png'), 600, 1700), [0x12, 0x34, 0x56]);
  assert.deepEqual(await pixel(at('laid.png'), 600, 300), await pixel(clear, 600, 300));
  const { xmp, ...laid } = await sharp(at('laid.png')).metadata();
  assert.deepEqual([laid.width, laid.height, laid.hasAlpha], [1200, 1800, false]);
  assert.match(String(xmp), /compositeWithTrainedAlgorithmicMedia/);

  // The face is where the footer is.
  const low = await resultWith(1350);
  const refused = await layOverlay({ file: low, overlays, offered, output: at('refused.png') });
  assert.deepEqual(refused, { ratio: 'portrait', refused: 'covers a face' });
  const { people, picture } = await locatePeople(clear);
  const [{ center, height: faceHeight }] = people as [Face];
  const pixels = (rows: number) => Math.round((rows / picture.height) * canvasSizes.portrait.height);
  const chinHidden = await resultWith(
    0.88 * canvasSizes.portrait.height - pixels(center.y + 0.35 * faceHeight),
  );
  const part = await layOverlay({ file: chinHidden, overlays, offered, output: at('refused.png') });
  assert.equal(part.refused, 'covers a face', 'a chin');
  const all: Ratio[] = ['portrait', 'square'];
  const square = await layOverlay({
    file: samplePhotos.head,
    overlays,
    offered: all,
    output: at('other.png'),
  });
  assert.equal(square.refused, 'none of this shape');

  // A camera's photo of 3:4 loses a strip at its sides.
  await sharp(clear)
    .resize(1350, 1800, { fit: 'fill' })
    .png({ compressionLevel: 1 })
    .toFile(at('camera.png'));
  const cropped = await layOverlay({ file: at('camera.png'), overlays, offered, output: at('cropped.png') });
  assert.deepEqual(cropped, { ratio: 'portrait', cropped: true });
  const { width, height } = await sharp(at('cropped.png')).metadata();
  assert.deepEqual([width, height], [1200, 1800]);
  assert.deepEqual(await pixel(at('cropped.png'), 600, 1700), [0x12, 0x34, 0x56]);
});

test('a result in a shape of its own is cropped to one that is offered, where its heads fit', async () => {
  const overlays = { portrait: at('portrait.png') };
  await prepare(footer);
  const person = (width: number) =>
    sharp(samplePhotos.onePerson).resize({ width, height: 1300, position: 'top' }).toBuffer();
  const draw = async (copies: { input: Buffer; left: number; top: number }[]) => {
    await sharp({ create: { width: 1500, height: 1300, channels: 3, background: '#556677' } })
      .composite(copies)
      .png({ compressionLevel: 1 })
      .toFile(at('nearly-square.png'));
    return at('nearly-square.png');
  };
  const alone = await draw([{ input: await person(860), left: 320, top: 0 }]);
  const lay = (file: string, offered: Ratio[]) =>
    layOverlay({ file, overlays, offered, output: at('cropped.png') });
  assert.deepEqual(await lay(alone, ['portrait']), { ratio: 'portrait', cropped: true });
  assert.equal((await sharp(at('cropped.png')).metadata()).height, canvasSizes.portrait.height);
  assert.equal((await lay(alone, ['square', 'portrait'])).refused, 'none of this shape', 'guests chose it');
  const half = await person(740);
  const apart = await draw([0, 760].map((left) => ({ input: half, left, top: 0 })));
  assert.equal((await lay(apart, ['portrait'])).refused, 'none of this shape', 'a head would be cut');
});

test('texts are written over a result with what its guest gave, and left out where they would cover a face', async () => {
  const content = { title: 'Gala', date: '5 May', words: { name: 'Zoë' } };
  const low = { text: '{guest.name} at {name}', colour: '#ff0000', x: 0.1, y: 0.9, width: 0.8, height: 0.08 };
  const over = { ...low, y: 0.1, height: 0.2 };
  const file = await resultWith(0);
  const redIn = async (name: string, top: number) => {
    const strip = sharp(at(name)).removeAlpha().extract({ left: 0, top, width: 1200, height: 180 });
    const { data } = await strip.raw().toBuffer({ resolveWithObject: true });
    let red = 0;
    for (let i = 0; i < data.length; i += 3) if (data[i]! > 200 && data[i + 1]! < 40) red++;
    return red;
  };
  const lay = (texts: (typeof low)[], overlays = {}) =>
    layOverlay({
      file,
      overlays,
      offered: ['portrait'],
      written: { texts, content },
      output: at('written.png'),
    });
  assert.deepEqual(await lay([low, over]), { ratio: 'portrait', hasTextAlone: true });
  assert.ok((await redIn('written.png', 1620)) > 2000);
  assert.equal(await redIn('written.png', 280), 0, 'nothing is written over the face');
  assert.equal((await lay([over])).refused, 'none of this shape', 'nothing is left to write');
  await prepare(footer);
  assert.deepEqual(await lay([low], { portrait: at('portrait.png') }), { ratio: 'portrait' });
  assert.ok((await redIn('written.png', 1620)) > 2000, 'above the overlay');
});
