import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { linearFromBytes, type Planes } from './colour.ts';

export type Ratio = 'portrait' | 'landscape' | 'square';

export const canvasSizes: Record<Ratio, { width: number; height: number }> = {
  portrait: { width: 1200, height: 1800 },
  landscape: { width: 1800, height: 1200 },
  square: { width: 1280, height: 1280 },
};

const triple = z.tuple([z.number(), z.number(), z.number()]);
const files = z.object({ portrait: z.string(), landscape: z.string(), square: z.string() });
const slot = z.object({ face: z.number().min(0.05).max(0.5), top: z.number().min(0).max(0.6) });

export const SceneLight = z.object({
  key: z.number().min(0.01).max(0.8),
  direction: triple,
  color: triple,
  fill: triple,
});
export type SceneLight = z.infer<typeof SceneLight>;

const SceneFile = z.object({
  title: z.string().min(1),
  tags: z.array(z.string()).min(1),
  plates: files,
  foreground: files.partial().optional(),
  depth: files.partial().optional(),
  light: SceneLight,
  haze: z.object({ color: triple, amount: z.number().min(0).max(0.9) }).optional(),
  slots: z.object({ one: slot, few: slot, many: slot }).partial().optional(),
  grade: z
    .object({ contrast: z.number(), vignette: z.number(), saturation: z.number() })
    .partial()
    .optional(),
});

/** A place that people can be put into: its data, and the folder its pictures are in. */
export type Scene = z.infer<typeof SceneFile> & { name: string; folder: string };

export const catalogFolder = join(import.meta.dirname, '../../../catalog');

/** Every scene of the catalog, by name. A folder that is not one is refused, with what is wrong in it. */
export async function readScenes(folder = join(catalogFolder, 'scenes')): Promise<Map<string, Scene>> {
  const scenes = await Promise.all(
    (await foldersWith(folder, 'scene.json')).map((name) => readScene(folder, name)),
  );
  return new Map(scenes.map((scene) => [scene.name, scene]));
}

/** The folders inside `folder` that hold such a file, in order. */
export async function foldersWith(folder: string, file: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(`*/${file}`, { cwd: folder })) found.push(dirname(path));
  return found.sort();
}

export async function readScene(folder: string, name: string): Promise<Scene> {
  const file = join(folder, name, 'scene.json');
  const problem = (what: string, cause?: unknown) =>
    new AppError('CATALOG_BROKEN', `The scene "${name}" of the catalog ${what}.`, { cause });
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw problem('has no readable scene.json', cause);
  }
  const parsed = SceneFile.safeParse(json);
  if (!parsed.success) throw problem(`is wrong: ${z.prettifyError(parsed.error)}`, parsed.error);
  return { ...parsed.data, name, folder: join(folder, name) };
}

/** A picture of a scene in linear light, at canvas size. */
export interface Plate {
  width: number;
  height: number;
  colour: Planes;
}

export async function readPlate(scene: Scene, ratio: Ratio): Promise<Plate> {
  const { width, height } = canvasSizes[ratio];
  const data = await sharp(join(scene.folder, scene.plates[ratio]))
    .resize(width, height, { fit: 'cover' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { width, height, colour: linearFromBytes(data, 3) };
}

/** What lies in front of people in a scene: colour (linear) and how much of it. */
export interface Overlay {
  colour: Planes;
  alpha: Float32Array;
}

export async function readForeground(scene: Scene, ratio: Ratio): Promise<Overlay | null> {
  const file = scene.foreground?.[ratio];
  return file
    ? readOverlay(join(scene.folder, file), canvasSizes[ratio].width, canvasSizes[ratio].height)
    : null;
}

export async function readOverlay(file: string, width: number, height: number): Promise<Overlay> {
  const data = await sharp(file)
    .resize(width, height, { fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
  const alpha = new Float32Array(width * height);
  for (let i = 0; i < alpha.length; i++) alpha[i] = data[i * 4 + 3]! / 255;
  return { colour: linearFromBytes(data, 4), alpha };
}
