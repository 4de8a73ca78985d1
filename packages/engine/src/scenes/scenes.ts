import { join } from 'node:path';
import type { Ratio } from '@guise/contract/common.ts';
import { canvasSizes } from '@guise/contract/families/canvas.ts';
import { SceneWords } from '@guise/contract/generator-words.ts';
import sharp from 'sharp';
import { z } from 'zod';
import { linearFromBytes } from '../pixels/colour.ts';
import type { Layer } from '../pixels/layer.ts';
import type { Planes } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { assertFilesExist, catalogFolder, FileName, readEntries, readEntry } from './catalog-entries.ts';

const triple = z.tuple([z.number(), z.number(), z.number()]);
const files = z.object({ portrait: FileName, landscape: FileName, square: FileName });
const slot = z.object({ face: z.number().min(0.05).max(0.5), top: z.number().min(0).max(0.6) });
const slots = z.object({ one: slot, few: slot, many: slot }).partial();
const share = z.number().min(0).max(1);

/** How people stand in pictures of one shape. */
const SceneFraming = slots.extend({
  /** The column of their middle, as a share of the canvas' width. */
  across: share.optional(),
  /** The row of the eyes of people who stand side by side, as a share of the canvas' height. */
  eyes: share.optional(),
  /** The rows of hair and feet of people who are shown from head to foot, as shares of the canvas' height. */
  fullLength: z.object({ hair: share, feet: share }).optional(),
});

export type SceneFraming = z.infer<typeof SceneFraming>;

export const SceneLight = z.object({
  key: z.number().min(0.01).max(0.8),
  direction: triple.refine((vector) => vector.some((part) => part !== 0), 'must point somewhere'),
  color: triple,
  fill: triple,
});
export type SceneLight = z.infer<typeof SceneLight>;

const SceneFile = z.object({
  title: z.string().min(1),
  tags: z.array(z.string()).min(1),
  /** Words for what its pictures really have: prompts are told of other words that these are not in the picture. */
  shows: z.array(z.string()).min(1).optional(),
  description: z.string().max(1000).optional(),
  /** Fits every prompt: taken where a prompt asks for nothing that there is. */
  neutral: z.boolean().optional(),
  /** How wide the floor is at its front, as a share of the canvas' width: 1 unless told, 0 on water and in space. */
  floor: z.number().min(0).max(1).optional(),
  plates: files,
  foreground: files.partial().optional(),
  depth: files.partial().optional(),
  /** What generators are told of it. */
  words: SceneWords.optional(),
  barrier: files
    .partial()
    .extend({ name: z.string().min(1) })
    .optional(),
  light: SceneLight,
  haze: z.object({ color: triple, amount: z.number().min(0).max(0.9) }).optional(),
  slots: slots.optional(),
  framing: z
    .object({ portrait: SceneFraming, landscape: SceneFraming, square: SceneFraming } satisfies Record<
      Ratio,
      z.ZodType
    >)
    .partial()
    .optional(),
  grade: z
    .object({ contrast: z.number(), vignette: z.number(), saturation: z.number() })
    .partial()
    .optional(),
});

export type SceneFile = z.infer<typeof SceneFile>;

/** A place that people can be put into: its data, and the folder its pictures are in. */
export type Scene = SceneFile & { name: string; folder: string };

/** Every scene of these catalogs, by name. A broken one is refused with the reason. */
export function readScenes(catalogs: readonly string[] = [catalogFolder]): Promise<Map<string, Scene>> {
  return readEntries(catalogs, { kind: 'scenes', file: 'scene.json' }, readScene);
}

export async function readScene(folder: string, name: string): Promise<Scene> {
  const scene = await readEntry(SceneFile, folder, name, 'scene.json');
  const { name: _, ...barrier } = scene.barrier ?? { name: '' };
  const named = [scene.plates, scene.foreground, scene.depth, barrier].flatMap((set) =>
    Object.values(set ?? {}),
  );
  await assertFilesExist(
    join(folder, name),
    'scene.json',
    named.filter((file) => file !== undefined),
  );
  return { ...scene, name, folder: join(folder, name) };
}

/** A picture of a scene in linear light, at canvas size. */
export interface Plate extends Size {
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

/** The layer that a scene has in front of people. */
export async function readForeground(scene: Scene, ratio: Ratio): Promise<Layer | null> {
  return readLayer(scene, scene.foreground?.[ratio], ratio);
}

/** The layer of what people stand behind where their bodies end inside the picture. */
export async function readBarrierLayer(scene: Scene, ratio: Ratio): Promise<Layer | null> {
  return readLayer(scene, scene.barrier?.[ratio], ratio);
}

async function readLayer(scene: Scene, file: string | undefined, ratio: Ratio): Promise<Layer | null> {
  if (!file) return null;
  const { width, height } = canvasSizes[ratio];
  const samples = await sharp(join(scene.folder, file))
    .resize(width, height, { fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer();
  return { x: 0, y: 0, width, height, samples };
}
