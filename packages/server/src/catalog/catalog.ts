import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CatalogName, catalogNames, Mode } from '@guise/contract/catalogs.ts';
import { LookDefinition, SceneDefinition } from '@guise/contract/filters.ts';
import { FilterWords } from '@guise/contract/generator-words.ts';
import { z } from 'zod';
import { AppError } from '../errors.ts';

const FilterEntry = z.strictObject({
  id: z.int().min(1).max(999_999),
  name: z.string().min(1).max(120),
  modes: z.array(Mode).min(1),
  definition: z.discriminatedUnion('kind', [SceneDefinition.strict(), LookDefinition.strict()]),
  /** What generators are told in place of the words of its scene, costume and look. */
  words: FilterWords.optional(),
  /** A pack's filter that replaces the catalog's own with this id. */
  replaces: z.literal(true).optional(),
});

/** A filter, and the catalog or pack it comes from. */
export type CatalogFilter = z.infer<typeof FilterEntry> & { folder: string };

const list = z.array(FilterEntry).default([]);
const FilterFile = z.strictObject({ face_swap: list, realistic: list, stylized: list });

/** The interface allows the styles 1 to 25. */
const lastStyle = 25;

export interface Catalog {
  list(name: CatalogName): readonly CatalogFilter[];
  find(name: CatalogName, id: number): CatalogFilter | undefined;
}

/** The catalog's own filters, and those of packs after or instead of them. */
export function loadCatalog(file: URL, packs: readonly string[] = []): Catalog {
  const own = dirname(fileURLToPath(file));
  const lists = forEachCatalog(() => new Map<number, CatalogFilter>());
  for (const folder of [own, ...packs]) {
    const filters = readFilters(folder);
    for (const name of catalogNames) {
      for (const filter of filters[name]) {
        assertIdIsFree(name, filter, lists[name].get(filter.id), own);
        lists[name].set(filter.id, filter);
      }
    }
  }
  const sorted = forEachCatalog((name) => [...lists[name].values()].sort((one, other) => one.id - other.id));
  return { list: (name) => sorted[name], find: (name, id) => lists[name].get(id) };
}

/** The filters of one catalog or pack; a pack may have none. */
export function readFilters(folder: string): Record<CatalogName, CatalogFilter[]> {
  const path = join(folder, 'filters.json');
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw broken(path, 'is not readable JSON. Correct it', cause);
    }
    json = {};
  }
  const parsed = FilterFile.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues as [z.core.$ZodIssue];
    throw broken(path, `${issue.path.join('.')}: ${issue.message}. docs/catalog.md describes the field`);
  }
  const filters = parsed.data;
  return forEachCatalog((name) => filters[name].map((filter) => ({ ...filter, folder })));
}

function forEachCatalog<T>(make: (name: CatalogName) => T): Record<CatalogName, T> {
  return { face_swap: make('face_swap'), realistic: make('realistic'), stylized: make('stylized') };
}

/** Refuses an id that another filter has, unless a pack's filter replaces one of the catalog's own. */
function assertIdIsFree(
  name: CatalogName,
  filter: CatalogFilter,
  existing: CatalogFilter | undefined,
  own: string,
): void {
  const file = join(filter.folder, 'filters.json');
  const what = `${name} ${filter.id} ("${filter.name}")`;
  if (name !== 'face_swap' && filter.id > lastStyle) {
    throw broken(
      file,
      `${what}: styles have the ids 1 to ${lastStyle}. Choose a free id, or replace a style`,
    );
  }
  if (!existing) {
    if (filter.replaces) throw broken(file, `${what}: there is none to replace. Remove "replaces"`);
    return;
  }
  if (filter.replaces && existing.folder === own) return;
  throw broken(
    file,
    `${what}: the id belongs to "${existing.name}" of ${existing.folder}. Choose another${
      existing.folder === own && filter.folder !== own ? ', or say "replaces": true' : ''
    }`,
  );
}

function broken(file: string, problem: string, cause?: unknown): AppError {
  return new AppError('CATALOG_BROKEN', `${file}: ${problem}.`, { cause });
}
