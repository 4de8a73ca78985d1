import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { catalogFolder, foldersWith, SceneLight } from './scenes.ts';

const CostumeFile = z.object({
  title: z.string().min(1),
  tags: z.array(z.string()).min(1),
  layers: z.object({ back: z.string(), liner: z.string().optional(), front: z.string() }),
  head: z.object({ chin: z.tuple([z.number(), z.number()]), faceHeight: z.number().positive() }),
  opening: z.object({ left: z.number(), right: z.number(), rim: z.number() }),
  light: SceneLight,
  scenes: z.array(z.string()).min(1),
});

/** What a guest can wear: layers around the head, and where the head goes. In pixels of its own canvas. */
export type Costume = z.infer<typeof CostumeFile> & {
  name: string;
  folder: string;
  canvas: { width: number; height: number };
};

/** Every costume of the catalog, by name. A folder that is not one is refused, with what is wrong in it. */
export async function readCostumes(folder = join(catalogFolder, 'costumes')): Promise<Map<string, Costume>> {
  const names = await foldersWith(folder, 'costume.json');
  const costumes = await Promise.all(names.map((name) => readCostume(folder, name)));
  return new Map(costumes.map((costume) => [costume.name, costume]));
}

export async function readCostume(folder: string, name: string): Promise<Costume> {
  const problem = (what: string, cause?: unknown) =>
    new AppError('CATALOG_BROKEN', `The costume "${name}" of the catalog ${what}.`, { cause });
  let json: unknown;
  try {
    json = JSON.parse(await readFile(join(folder, name, 'costume.json'), 'utf8'));
  } catch (cause) {
    throw problem('has no readable costume.json', cause);
  }
  const parsed = CostumeFile.safeParse(json);
  if (!parsed.success) throw problem(`is wrong: ${z.prettifyError(parsed.error)}`, parsed.error);
  try {
    const { width, height } = await sharp(join(folder, name, parsed.data.layers.front)).metadata();
    return { ...parsed.data, name, folder: join(folder, name), canvas: { width, height } };
  } catch (cause) {
    throw problem('has no readable front layer', cause);
  }
}
