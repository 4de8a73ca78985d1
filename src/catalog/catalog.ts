import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type FilterType, Mode } from '../contract/catalogs.ts';
import { CatalogSceneDefinition, LookDefinition } from '../contract/filters.ts';

/** The lists of standard filters, by the integers callers name them with. */
export const catalogNames = ['face_swap', 'realistic', 'stylized'] as const;
export type CatalogName = (typeof catalogNames)[number];

const CatalogFilter = z.strictObject({
  id: z.int().min(1),
  name: z.string().min(1),
  modes: z.array(Mode).min(1),
  definition: z.discriminatedUnion('kind', [CatalogSceneDefinition, LookDefinition]),
});
export type CatalogFilter = z.infer<typeof CatalogFilter>;

const CatalogFile = z.strictObject({
  face_swap: z.array(CatalogFilter),
  realistic: z.array(CatalogFilter),
  stylized: z.array(CatalogFilter),
});

export interface Catalog {
  list(name: CatalogName): readonly CatalogFilter[];
  find(name: CatalogName, id: number): CatalogFilter | undefined;
}

export function filterTypeOf(name: CatalogName): FilterType {
  return name === 'face_swap' ? 'face_swap' : 'multi_swap';
}

export function loadCatalog(file: URL): Catalog {
  const lists = CatalogFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  const byId = new Map<string, CatalogFilter>();
  for (const name of catalogNames) {
    for (const filter of lists[name]) {
      const key = `${name}/${filter.id}`;
      if (byId.has(key)) throw new Error(`catalog: ${key} stands twice`);
      byId.set(key, filter);
    }
  }
  return { list: (name) => lists[name], find: (name, id) => byId.get(`${name}/${id}`) };
}
