import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CatalogName, catalogNames, type Mode } from '@guise/contract/catalogs.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import { lights, palettes, weathers } from '@guise/engine/prompt/prompt-concepts.ts';
import { once } from '@guise/engine/runtime/once.ts';
import { readEntries, readEntry } from '@guise/engine/scenes/catalog-entries.ts';
import { z } from 'zod';
import type { Catalog } from './catalog.ts';
import { ownCatalogDir } from './own-catalog.ts';

/** The lists of what a scene filter may name, and the field that each is for. */
export const optionFields = {
  scenes: 'scene',
  costumes: 'costume',
  looks: 'look',
  lights: 'light',
  weathers: 'weather',
  palettes: 'palette',
} as const;
export type OptionList = keyof typeof optionFields;
export const optionLists = Object.keys(optionFields) as OptionList[];

/** Something that a scene filter may name. */
export interface Option {
  name: string;
  title: string;
  /** Words that lead to it in a prompt. */
  tags: readonly string[];
  /** Those for what its picture really has; without them, all. */
  shows?: readonly string[] | undefined;
  modes: readonly Mode[];
  /** Its preview: a file of this catalog or pack, or the preview of a filter that shows it. */
  preview: { file: string } | { catalog: CatalogName; id: number } | null;
}
export type Options = Record<OptionList, Option[]>;

/** What light, weather and palette may be called. */
export const moodNames = {
  lights: Object.keys(lights),
  weathers: Object.keys(weathers),
  palettes: Object.keys(palettes),
} as const;

const Titled = z.object({
  title: z.string(),
  tags: z.array(z.string()),
  shows: z.array(z.string()).optional(),
});

/** Reads what filters can be made of, on first use: the catalog's own, and what packs bring. */
export function createFilterOptions(packs: readonly string[], catalog: Catalog): () => Promise<Options> {
  return once(async () => {
    const folders = [ownCatalogDir, ...packs];
    const everybody = ['single', 'group'] as const;
    const titled = async (list: 'scenes' | 'costumes', file: string) => {
      const entries = await readEntries(folders, { kind: list, file }, async (folder, name) => ({
        ...(await readEntry(Titled, folder, name, file)),
        name,
        folder: join(folder, '..'),
      }));
      return [...entries.values()].map(({ name, title, tags, shows, folder }) => ({
        ...{ name, title, tags, shows, modes: everybody },
        preview: previewOf(catalog, folder, list, name),
      }));
    };
    const named = (list: OptionList, names: readonly string[]) =>
      names.map((name) => ({
        name,
        title: titleOf(name),
        tags: [],
        modes: everybody,
        preview: previewOf(catalog, ownCatalogDir, list, name),
      }));
    return {
      scenes: await titled('scenes', 'scene.json'),
      costumes: await titled('costumes', 'costume.json'),
      looks: named('looks', lookNames),
      lights: named('lights', moodNames.lights),
      weathers: named('weathers', moodNames.weathers),
      palettes: named('palettes', moodNames.palettes),
    };
  });
}

/** Where `npm run previews` leaves the picture of an option. */
export function optionPreviewFile(folder: string, list: OptionList, name: string): string {
  return join(folder, 'previews', 'options', list, `${name}.webp`);
}

function previewOf(catalog: Catalog, folder: string, list: OptionList, name: string): Option['preview'] {
  const file = optionPreviewFile(folder, list, name);
  if (existsSync(file)) return { file };
  const field = optionFields[list];
  for (const catalogName of catalogNames) {
    const shows = (definition: FilterDefinition) =>
      field in definition && Reflect.get(definition, field) === name;
    const filter = catalog.list(catalogName).find(({ definition }) => shows(definition));
    if (filter) return { catalog: catalogName, id: filter.id };
  }
  return null;
}

/** `golden-hour` as "Golden hour". */
function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words[0]!.toUpperCase() + words.slice(1);
}
