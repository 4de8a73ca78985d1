import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ratio } from '@guise/contract/common.ts';
import { canvasSizes, type Size } from '@guise/contract/families/canvas.ts';
import { cropHeight, type SceneSettings } from '@guise/contract/scenes/own-scenes.ts';
import sharp from 'sharp';
import type { SceneFile } from '../scenes/scenes.ts';
import { cutForeground, type ForegroundSource, pixelsOf, readMask } from './cut-foreground.ts';
import { frameFor } from './frame-people.ts';

/** A backdrop as it is to become a scene. */
export interface SceneToWrite {
  /** The backdrop. */
  file: string;
  settings: SceneSettings;
  foreground: ForegroundSource | null;
  /** Where scene.json and its pictures are written. */
  folder: string;
  /** Where the mask of the foreground is written, if there is one. */
  mask: string;
  /** The one shape that is needed, for a scene that is only tried: all plates are of it then. */
  only?: Ratio | undefined;
}

/** The files of the scene, and whether there is a mask. */
export interface WrittenScene {
  files: string[];
  hasMask: boolean;
}

type Pictures = Partial<Record<Ratio, string>>;

/** Writes a scene in the form of the catalog: plates in three shapes, what stands before people, and its measures. */
export async function writeScene({
  file,
  settings,
  foreground,
  folder,
  mask,
  only,
}: SceneToWrite): Promise<WrittenScene> {
  const { width, height } = await sharp(file).metadata();
  const backdrop = { width, height };
  const front = foreground && (await readMask(foreground, backdrop));
  const plates: Pictures = {};
  const fronts: Pictures = {};
  const barriers: Pictures = {};
  for (const ratio of only ? [only] : Ratio.options) {
    const crop = { ...settings.crops[ratio], height: cropHeight(settings.crops[ratio], ratio, backdrop) };
    const canvas = canvasSizes[ratio];
    plates[ratio] = `${ratio}.webp`;
    await sharp(file)
      .extract(pixelsOf(crop, backdrop))
      .resize({ ...canvas, fit: 'fill' })
      .toColourspace('srgb')
      .webp({ quality: 92 })
      .toFile(join(folder, `${ratio}.webp`));
    const cut = front && (await cutForeground(join(folder, `${ratio}.webp`), front, crop, canvas));
    if (!cut) continue;
    fronts[ratio] = `front-${ratio}.webp`;
    await writeFile(join(folder, fronts[ratio]), cut.webp);
    if (cut.hidesBodies) barriers[ratio] = fronts[ratio];
  }
  if (only) for (const ratio of Ratio.options) plates[ratio] = `${only}.webp`;
  const scene = describeScene(settings, backdrop, { plates, fronts, barriers });
  await writeFile(join(folder, 'scene.json'), `${JSON.stringify(scene, null, 2)}\n`);
  if (front)
    await sharp(front.samples, { raw: { ...front.size, channels: 1 } })
      .png()
      .toFile(mask);
  const pictures = [...new Set([...Object.values(plates), ...Object.values(fronts)])];
  return { files: ['scene.json', ...pictures], hasMask: front !== null };
}

interface ScenePictures {
  plates: Pictures;
  fronts: Pictures;
  barriers: Pictures;
}

function describeScene(
  settings: SceneSettings,
  backdrop: Size,
  { plates, fronts, barriers }: ScenePictures,
): SceneFile {
  const { title, place, light, floor } = settings;
  const framing = Object.fromEntries(
    Ratio.options.map((ratio) => [ratio, frameFor(settings, ratio, backdrop)]),
  );
  return {
    title,
    tags: [title.toLowerCase()],
    plates: plates as Record<Ratio, string>,
    ...(Object.keys(fronts).length > 0 && { foreground: fronts }),
    // What is in front all along the lower border hides the ends of bodies too.
    ...(Object.keys(barriers).length > 0 && { barrier: { name: `foreground of ${title}`, ...barriers } }),
    light,
    framing,
    ...(floor === null && { floor: 0 }),
    ...(place !== '' && { words: { place } }),
  };
}
