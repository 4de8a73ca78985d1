/**
 * How people are arranged, on one sheet: people whose photo ends at the chest behind every scene's barrier, the people
 * of several photos, and groups that are too wide or too loose. Each picture is in out/arrangement/ at full size too.
 *
 *   npm run tool -- tools/arrangement-sheet.ts [barriers|together|spaced] [scene …]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Ratio } from '@guise/contract/common.ts';
import { compose } from '@guise/engine/compose/compose.ts';
import { findPeople } from '@guise/engine/faces/faces.ts';
import { findPeopleIn, type PeoplePhoto, readPeople } from '@guise/engine/matting/people.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import { mapPlanes } from '@guise/engine/pixels/picture.ts';
import { bytesFromPicture } from '@guise/engine/pixels/png.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import { readScenes, type Scene } from '@guise/engine/scenes/scenes.ts';
import sharp, { type OverlayOptions } from 'sharp';

const out = join(import.meta.dirname, '../out/arrangement');
const parts = ['barriers', 'together', 'spaced'] as const;
const asked = process.argv.slice(2);
const wanted = parts.some((part) => asked.includes(part))
  ? parts.filter((part) => asked.includes(part))
  : parts;
const allScenes = [...(await readScenes()).values()];
const named = allScenes.filter(({ name }) => asked.includes(name));
const height = 360;
const thumbnails: { input: Buffer; width: number }[] = [];
mkdirSync(out, { recursive: true });

async function show(photos: PeoplePhoto[], scene: Scene, ratio: Ratio, title: string): Promise<void> {
  try {
    const { picture, applied } = await compose(photos, scene, { ratio, seed: 1 });
    const image = sharp(bytesFromPicture(picture), {
      raw: { width: picture.width, height: picture.height, channels: 3 },
    });
    await image
      .clone()
      .png({ compressionLevel: 1 })
      .toFile(join(out, `${title}-${scene.name}-${ratio}.png`));
    const width = Math.round((height * picture.width) / picture.height);
    thumbnails.push({ input: await image.resize(width, height).png().toBuffer(), width });
    console.log(title, scene.name, ratio, JSON.stringify(applied));
  } catch (error) {
    console.log(title, scene.name, ratio, String(error));
  }
}

/** The photo without what is more than this many face heights below the lowest chin. */
async function cutBelow(file: string, faceHeights: number): Promise<PeoplePhoto> {
  const photo = await readPhoto(file);
  const faces = await findPeople(photo);
  const unit = faces[0]!.height;
  const chin = Math.max(...faces.map((face) => face.center.y + face.height / 2));
  const rows = Math.min(photo.height, Math.round(chin + faceHeights * unit));
  const cut = {
    ...photo,
    height: rows,
    planes: mapPlanes(photo.planes, (plane) => plane.slice(0, rows * photo.width)),
  };
  return findPeopleIn(cut, faces);
}

/** The people of several photos in one wide photo, this far apart in widths of theirs, before a plain wall. */
async function besideEachOther(files: readonly string[], apart: number): Promise<PeoplePhoto> {
  const tall = 900;
  const pieces: OverlayOptions[] = [];
  let left = 40;
  for (const file of files) {
    const { photo, matte } = await readPeople(file);
    const alpha = await sharp(Buffer.from(matte.data.map((value) => 255 * value)), {
      raw: { width: matte.width, height: matte.height, channels: 1 },
    })
      .resize(photo.width, photo.height, { fit: 'fill' })
      .toColourspace('b-w')
      .raw()
      .toBuffer();
    const input = await sharp(bytesFromPicture(photo), {
      raw: { width: photo.width, height: photo.height, channels: 3 },
    })
      .joinChannel(alpha, { raw: { width: photo.width, height: photo.height, channels: 1 } })
      .png()
      .toBuffer();
    const trimmed = await sharp(input)
      .trim({ background: '#00000000' })
      .resize({ height: 700 })
      .png()
      .toBuffer();
    const { width } = await sharp(trimmed).metadata();
    pieces.push({ input: trimmed, left, top: tall - 700 });
    left += Math.round(width * apart);
  }
  const file = join(out, 'beside.jpg');
  await sharp({ create: { width: left + 40, height: tall, channels: 3, background: '#9aa0a6' } })
    .composite(pieces)
    .jpeg({ quality: 95 })
    .toFile(file);
  return readPeople(file);
}

if (wanted.includes('barriers')) {
  const one = await cutBelow(samplePhotos.onePerson, 0.9);
  const two = await cutBelow(samplePhotos.twoPeople, 0.8);
  for (const scene of named.length > 0 ? named : allScenes) {
    await show([one], scene, 'portrait', 'one');
    await show([two], scene, 'square', 'two');
    if (named.length > 0) await show([one, two], scene, 'landscape', 'three');
  }
}
const few =
  named.length > 0 ? named : allScenes.filter(({ name }) => ['red-carpet', 'aurora'].includes(name));
if (wanted.includes('together')) {
  const [one, two] = await Promise.all([
    readPeople(samplePhotos.onePerson),
    readPeople(samplePhotos.twoPeople),
  ]);
  const cut = await cutBelow(samplePhotos.onePerson, 0.9);
  for (const scene of few) {
    for (const ratio of ['portrait', 'landscape'] as const) {
      await show([one, two], scene, ratio, 'several');
      await show([cut, two, cut, one], scene, ratio, 'several-cut');
    }
  }
}
if (wanted.includes('spaced')) {
  const files = Array.from({ length: 5 }, () => samplePhotos.onePerson);
  const loose = await besideEachOther(files.slice(0, 3), 1.6);
  const wide = await besideEachOther(files, 1.15);
  for (const scene of few) {
    for (const ratio of ['portrait', 'landscape'] as const) {
      await show([loose], scene, ratio, 'loose');
      await show([wide], scene, ratio, 'wide');
    }
  }
}

const across = 1800;
const pieces: OverlayOptions[] = [];
let x = 0;
let y = 0;
for (const { input, width } of thumbnails) {
  if (x + width > across) {
    x = 0;
    y += height + 6;
  }
  pieces.push({ input, left: x, top: y });
  x += width + 6;
}
await sharp({ create: { width: across, height: y + height, channels: 3, background: '#141414' } })
  .composite(pieces)
  .png()
  .toFile(join(out, 'sheet.png'));
