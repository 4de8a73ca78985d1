/**
 * Scenes with one person (portrait) and two (landscape) in them, on one sheet: docs/images/scenes.webp.
 * With names, only those scenes, on out/scenes.webp.
 *
 *   npm run tool -- tools/scenes-sheet.ts [scene …]
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Ratio } from '@guise/contract/common.ts';
import { compose } from '@guise/engine/compose/compose.ts';
import { readPeople } from '@guise/engine/matting/people.ts';
import { bytesFromPicture } from '@guise/engine/pixels/png.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import { readScenes, type Scene } from '@guise/engine/scenes/scenes.ts';
import sharp, { type OverlayOptions } from 'sharp';

const root = join(import.meta.dirname, '..');
const wanted = process.argv.slice(2);
const height = 330;
const widths: Record<Ratio, number> = { portrait: 220, landscape: 495, square: 330 };
const gap = 6;
const pairsAcross = 3;
const shown = [
  { photo: samplePhotos.onePerson, ratio: 'portrait' },
  { photo: samplePhotos.twoPeople, ratio: 'landscape' },
] as const;

async function thumbnail(scene: Scene, photo: Awaited<ReturnType<typeof readPeople>>, ratio: Ratio) {
  const { picture } = await compose([photo], scene, { ratio, seed: 1 });
  const { width, height: tall } = picture;
  const image = sharp(bytesFromPicture(picture), { raw: { width, height: tall, channels: 3 } });
  if (wanted.length > 0) await image.clone().toFile(join(root, `out/${scene.name}-${ratio}.png`));
  return image.resize(widths[ratio], height).png().toBuffer();
}

const folder = join(root, wanted.length > 0 ? 'out' : 'docs/images');
mkdirSync(folder, { recursive: true });
const scenes = [...(await readScenes()).values()].filter(
  (scene) => wanted.length === 0 || wanted.includes(scene.name),
);
const cut = await Promise.all(shown.map(({ photo }) => readPeople(photo)));
const pairWidth = shown.reduce((sum, { ratio }) => sum + widths[ratio] + gap, gap);
const pieces: OverlayOptions[] = [];
for (const [index, scene] of scenes.entries()) {
  let left = (index % pairsAcross) * pairWidth;
  const top = Math.floor(index / pairsAcross) * (height + gap);
  for (const [place, { ratio }] of shown.entries()) {
    pieces.push({ input: await thumbnail(scene, cut[place]!, ratio), left, top });
    left += widths[ratio] + gap;
  }
}
await sharp({
  create: {
    width: pairsAcross * pairWidth - 2 * gap,
    height: Math.ceil(scenes.length / pairsAcross) * (height + gap) - gap,
    channels: 3,
    background: '#141414',
  },
})
  .composite(pieces)
  .webp({ quality: 62 })
  .toFile(join(folder, 'scenes.webp'));
