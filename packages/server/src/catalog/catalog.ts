import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CatalogName, catalogNames, Mode } from '@guise/contract/catalogs.ts';
import { CatalogSceneDefinition, LookDefinition } from '@guise/contract/filters.ts';
import { z } from 'zod';
import { AppError } from '../errors.ts';

const FilterEntry = z.strictObject({
  id: z.int().min(1).max(999_999),
  name: z.string().min(1).max(120),
  modes: z.array(Mode).min(1),
  definition: z.discriminatedUnion('kind', [CatalogSceneDefinition.strict(), LookDefinition.strict()]),
  /** A pack's filter that stands in the place of the catalog's own with this id. */
  replaces: z.literal(true).optional(),
});

/** A filter, and the catalog or pack it comes from. */
export type CatalogFilter = z.infer<typeof FilterEntry> & { folder: string };

const list = z.array(FilterEntry).default([]);
const FilterFile = z.strictObject({ face_swap: list, realistic: list, stylized: list });

/** The interface has styles 1 to 25 and no more. */
const lastStyle = 25;

export interface Catalog {
  list(name: CatalogName): readonly CatalogFilter[];
  find(name: CatalogName, id: number): CatalogFilter | undefined;
}

/** The catalog's own filters, and those of packs after or instead of them. */
export function loadCatalog(file: URL, packs: readonly string[] = []): Catalog {
  const own = dirname(fileURLToPath(file));
  const lists = { face_swap: new Map(), realistic: new Map(), stylized: new Map() } as Record<
    CatalogName,
    Map<number, CatalogFilter>
  >;
  for (const folder of [own, ...packs]) {
    const filters = readFilters(folder);
    for (const name of catalogNames) {
      for (const filter of filters[name]) {
        mustBeFree(name, filter, lists[name].get(filter.id), own);
        lists[name].set(filter.id, filter);
      }
    }
  }
  const sorted = Object.fromEntries(
    catalogNames.map((name) => [name, [...lists[name].values()].sort((one, other) => one.id - other.id)]),
  ) as Record<CatalogName, CatalogFilter[]>;
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
  return Object.fromEntries(
    catalogNames.map((name) => [name, filters[name].map((filter) => ({ ...filter, folder }))]),
  ) as Record<CatalogName, CatalogFilter[]>;
}

function mustBeFree(
  name: CatalogName,
  filter: CatalogFilter,
  there: CatalogFilter | undefined,
  own: string,
): void {
  const file = join(filter.folder, 'filters.json');
  const what = `${name} ${filter.id} ("${filter.name}")`;
  if (name !== 'face_swap' && filter.id > lastStyle) {
    throw broken(file, `${what}: styles have the ids 1 to ${lastStyle}. Give it a free one, or replace one`);
  }
  if (!there) {
    if (filter.replaces) throw broken(file, `${what}: there is none to replace. Leave "replaces" out`);
    return;
  }
  if (filter.replaces && there.folder === own) return;
  throw broken(
    file,
    `${what}: the id belongs to "${there.name}" of ${there.folder}. Choose another${
      there.folder === own && filter.folder !== own ? ', or say "replaces": true' : ''
    }`,
  );
}

function broken(file: string, problem: string, cause?: unknown): AppError {
  return new AppError('CATALOG_BROKEN', `${file}: ${problem}.`, { cause });
}
