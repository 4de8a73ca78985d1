import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canvasSizes } from '@guise/contract/canvas.ts';
import type { Ratio } from '@guise/contract/common.ts';
import sharp from 'sharp';
import { z } from 'zod';
import { linearFromBytes } from '../pixels/colour.ts';
import type { Layer } from '../pixels/layer.ts';
import type { Planes } from '../pixels/picture.ts';
import type { Size } from '../pixels/plane.ts';
import { RenderError } from '../runtime/render-error.ts';

/** A file beside the JSON that names it: no folders, so no way out of its own. */
export const FileName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,80}$/i, 'must be the plain name of a file in the same folder');

const triple = z.tuple([z.number(), z.number(), z.number()]);
const files = z.object({ portrait: FileName, landscape: FileName, square: FileName });
const slot = z.object({ face: z.number().min(0.05).max(0.5), top: z.number().min(0).max(0.6) });

export const SceneLight = z.object({
  key: z.number().min(0.01).max(0.8),
  direction: triple.refine((way) => way.some((part) => part !== 0), 'must point somewhere'),
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

export const catalogFolder = join(import.meta.dirname, '../../../../catalog');

/** Every scene of these catalogs, by name. A folder that is not one is refused, with what is wrong in it. */
export function readScenes(catalogs: readonly string[] = [catalogFolder]): Promise<Map<string, Scene>> {
  return readAll(catalogs, 'scenes', 'scene.json', readScene);
}

/** What every catalog has in its folders of a kind, by name; a name stands for one thing only. */
export async function readAll<Entry extends { name: string; folder: string }>(
  catalogs: readonly string[],
  kind: string,
  file: string,
  read: (folder: string, name: string) => Promise<Entry>,
): Promise<Map<string, Entry>> {
  const all = new Map<string, Entry>();
  for (const catalog of catalogs) {
    const folder = join(catalog, kind);
    const names = await foldersWith(folder, file);
    for (const entry of await Promise.all(names.map((name) => read(folder, name)))) {
      const other = all.get(entry.name);
      if (other) {
        throw new RenderError(
          'CATALOG_BROKEN',
          `${join(entry.folder, file)}: ${other.folder} has that name already. Rename the folder.`,
        );
      }
      all.set(entry.name, entry);
    }
  }
  return all;
}

/** The folders inside `folder` that hold such a file, in order. */
async function foldersWith(folder: string, file: string): Promise<string[]> {
  const found: string[] = [];
  for await (const path of glob(`*/${file}`, { cwd: folder })) found.push(dirname(path));
  return found.sort();
}

export async function readScene(folder: string, name: string): Promise<Scene> {
  const scene = await readEntry(SceneFile, folder, name, 'scene.json');
  const named = [scene.plates, scene.foreground, scene.depth].flatMap((set) => Object.values(set ?? {}));
  await mustBeThere(
    join(folder, name),
    'scene.json',
    named.filter((file) => file !== undefined),
  );
  return { ...scene, name, folder: join(folder, name) };
}

/** One entry's JSON, checked. */
export async function readEntry<Shape extends z.ZodType>(
  shape: Shape,
  folder: string,
  name: string,
  file: string,
): Promise<z.infer<Shape>> {
  const path = join(folder, name, file);
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new RenderError(
      'CATALOG_BROKEN',
      `${path}: is not readable JSON. Correct it or remove the folder.`,
      {
        cause,
      },
    );
  }
  const parsed = shape.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues as [z.core.$ZodIssue];
  throw new RenderError(
    'CATALOG_BROKEN',
    `${path}: ${issue.path.join('.') || 'the whole'}: ${issue.message}. docs/catalog.md describes the field.`,
    { cause: parsed.error },
  );
}

/** Refuses an entry that names files which are not in its folder. */
export async function mustBeThere(folder: string, file: string, named: readonly string[]): Promise<void> {
  for (const name of named) {
    await access(join(folder, name)).catch((cause) => {
      throw new RenderError(
        'CATALOG_BROKEN',
        `${join(folder, name)}: is missing, and ${file} names it. Add it or take it out of ${file}.`,
        { cause },
      );
    });
  }
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

/** What lies in front of people in a scene. */
export async function readForeground(scene: Scene, ratio: Ratio): Promise<Layer | null> {
  const file = scene.foreground?.[ratio];
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
