/**
 * All looks on the sample photos, on one sheet: out/looks.png. Other photos may be given as arguments.
 *
 *   npm run tool -- tools/looks-sheet.ts [photo …]
 */
import { mkdir } from 'node:fs/promises';
import { keepPhotoFrame } from '@guise/engine/compose/photo-canvas.ts';
import { findFaces } from '@guise/engine/faces/faces.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import { applyLook } from '@guise/engine/looks/looks.ts';
import { classifyBodies } from '@guise/engine/matting/body-classes.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import type { Picture } from '@guise/engine/pixels/picture.ts';
import { bytesFromPicture } from '@guise/engine/pixels/png.ts';
import sharp, { type OverlayOptions } from 'sharp';

const samples = [3, 4, 5, 6].map((number) => `node_modules/@vladmandic/face-api/demo/sample${number}.jpg`);
const photos = process.argv.length > 2 ? process.argv.slice(2) : samples;
const cell = { width: 450, height: 340, gap: 12, label: 34 };
/** Cells to a row. */
const columns = 4;
const rowsEach = Math.ceil((lookNames.length + 1) / columns);

async function thumbnail(picture: Picture): Promise<Buffer> {
  const { width, height } = picture;
  return sharp(bytesFromPicture(picture), { raw: { width, height, channels: 3 } })
    .resize({ width: cell.width, height: cell.height, fit: 'contain', background: '#1c1c1f' })
    .png()
    .toBuffer();
}

function label(text: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${cell.width}" height="${cell.label}">
      <text x="2" y="24" font-family="sans-serif" font-size="20" fill="#e8e8ea">${text}</text></svg>`,
  );
}

const pieces: OverlayOptions[] = [];
for (const [index, file] of photos.entries()) {
  const photo = await readPhoto(file);
  const { picture, faces } = keepPhotoFrame(photo, await findFaces(photo));
  const classes = await classifyBodies(picture, faces, { detail: 'fast' });
  for (const [place, name] of ['photo', ...lookNames].entries()) {
    const began = performance.now();
    const made = name === 'photo' ? picture : applyLook(name, picture, faces, 1, classes);
    const seconds = ((performance.now() - began) / 1000).toFixed(2);
    const row = index * rowsEach + Math.floor(place / columns);
    const left = cell.gap + (place % columns) * (cell.width + cell.gap);
    const top = cell.gap + row * (cell.height + cell.label + cell.gap);
    const caption = name === 'photo' ? `${faces.length} faces` : `${name}, ${seconds} s`;
    pieces.push(
      { input: label(caption), left, top },
      { input: await thumbnail(made), left, top: top + cell.label },
    );
  }
}

await mkdir('out', { recursive: true });
await sharp({
  create: {
    width: cell.gap + columns * (cell.width + cell.gap),
    height: cell.gap + photos.length * rowsEach * (cell.height + cell.label + cell.gap),
    channels: 3,
    background: '#1c1c1f',
  },
})
  .composite(pieces)
  .png()
  .toFile('out/looks.png');
console.log(`out/looks.png: ${lookNames.length} looks on ${photos.length} photos`);
process.exit(0);
