import { join } from 'node:path';
import { CostumeWords } from '@guise/contract/generator-words.ts';
import sharp from 'sharp';
import { z } from 'zod';
import type { Size } from '../pixels/plane.ts';
import { RenderError } from '../runtime/render-error.ts';
import {
  assertFilesExist,
  catalogFolder,
  FileName,
  readEntries,
  readEntry,
} from '../scenes/catalog-entries.ts';
import { SceneLight } from '../scenes/scenes.ts';

const Cut = z.object({
  layers: z.object({ back: FileName, liner: FileName.optional(), front: FileName }),
  head: z.object({ chin: z.tuple([z.number(), z.number()]), faceHeight: z.number().positive() }),
  opening: z
    .object({ left: z.number(), right: z.number(), rim: z.number() })
    .refine(({ left, right }) => left < right, 'left must lie left of right'),
});

const CostumeFile = Cut.extend({
  title: z.string().min(1),
  tags: z.array(z.string()).min(1),
  /** Words for what its pictures really have: prompts are told of other words that these are not in the picture. */
  shows: z.array(z.string()).min(1).optional(),
  /** What generators are told of it. */
  words: CostumeWords.optional(),
  description: z.string().max(1000).optional(),
  light: SceneLight,
  scenes: z.array(z.string()).min(1),
  /** The head is seen only where the back layer is: what a hood or a helmet covers of it is hidden. */
  hooded: z.boolean().optional(),
  /** What differs by wearer. */
  variants: z
    .object({ man: Cut.partial(), woman: Cut.partial(), boy: Cut.partial(), girl: Cut.partial() })
    .partial()
    .optional(),
});

/** Layers around a head, and where the head goes, in pixels of the layers' own canvas. */
export type Costume = z.infer<typeof CostumeFile> & {
  name: string;
  folder: string;
  canvas: Size;
};

/** Wearers in the order of a run's `gender`, 0 to 3. */
const wearers = ['man', 'woman', 'boy', 'girl'] as const;

/** Every costume of these catalogs, by name. A broken one is refused with the reason. */
export function readCostumes(catalogs: readonly string[] = [catalogFolder]): Promise<Map<string, Costume>> {
  return readEntries(catalogs, { kind: 'costumes', file: 'costume.json' }, readCostume);
}

export async function readCostume(folder: string, name: string): Promise<Costume> {
  const costume = await readEntry(CostumeFile, folder, name, 'costume.json');
  const own = join(folder, name);
  await assertFilesExist(own, 'costume.json', layerFiles(costume));
  const front = join(own, costume.layers.front);
  try {
    const { width, height } = await sharp(front).metadata();
    return { ...costume, name, folder: own, canvas: { width, height } };
  } catch (cause) {
    throw new RenderError('CATALOG_BROKEN', `${front}: is not a picture. Save it as WebP or PNG.`, { cause });
  }
}

/** Every layer that a costume or one of its variants names. */
export function layerFiles({ layers, variants }: z.infer<typeof CostumeFile>): string[] {
  const sets = [layers, ...Object.values(variants ?? {}).map((variant) => variant?.layers)];
  return [...new Set(sets.flatMap((set) => Object.values(set ?? {})))].filter((file) => file !== undefined);
}

/** The costume in the variant for this `gender` of a run, 0 to 3. */
export function chooseVariant(costume: Costume, gender: number | undefined): Costume {
  const wearer = gender === undefined ? undefined : wearers[gender];
  const variant = wearer && costume.variants?.[wearer];
  if (!variant) return costume;
  const { layers = costume.layers, head = costume.head, opening = costume.opening } = variant;
  return { ...costume, layers, head, opening };
}
