/**
 * Writes docs/images/upscale.webp: a sample photo whose face has 80 pixels, composed without and with Real-ESRGAN.
 *
 *   npm run tool -- tools/upscale-doc-image.ts FOLDER    a folder with the fetched model
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestFor } from '@guise/contract/families/requests.ts';
import { createEngine } from '@guise/engine/engine.ts';
import { findFaces } from '@guise/engine/faces/faces.ts';
import { readPhoto } from '@guise/engine/pixels/photo.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import sharp from 'sharp';

const [, , modelsDir = 'data/models'] = process.argv;
const smallWidth = 320;
const tile = 560;

const folder = await mkdtemp(join(tmpdir(), 'guise-upscale-'));
const photo = join(folder, 'small.jpg');
await sharp(samplePhotos.onePerson).resize({ width: smallWidth }).jpeg({ quality: 80 }).toFile(photo);
const request = requestFor(
  'face_swap_v6',
  { gender: 1, ratio: 'portrait' },
  { kind: 'scene', scene: 'great-hall' },
);
const tiles: Buffer[] = [];
for (const settings of [{}, { modelsDir }]) {
  const started = performance.now();
  const { file } = await createEngine(settings).render(
    { ...request, images: [photo], scratch: folder },
    { signal: new AbortController().signal, progress: () => {} },
  );
  console.log(`${((performance.now() - started) / 1000).toFixed(1)} s`);
  tiles.push(await headOf(file));
}
await sharp({ create: { width: 2 * tile, height: tile, channels: 3, background: '#111' } })
  .composite(tiles.map((input, i) => ({ input, left: i * tile, top: 0 })))
  .webp({ quality: 85 })
  .toFile('docs/images/upscale.webp');
await rm(folder, { recursive: true });

async function headOf(file: string): Promise<Buffer> {
  const [face] = await findFaces(await readPhoto(file));
  const side = Math.round(1.7 * face!.height);
  const left = Math.round(face!.center.x - side / 2);
  const top = Math.max(0, Math.round(face!.center.y - 0.6 * side));
  return sharp(file).extract({ left, top, width: side, height: side }).resize(tile, tile).toBuffer();
}
