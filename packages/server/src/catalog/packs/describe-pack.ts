import { basename } from 'node:path';
import { type CatalogName, catalogNames } from '@guise/contract/catalogs.ts';
import { readCostumes } from '@guise/engine/costume/costumes.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import type { Config } from '../../config.ts';
import { type CatalogFilter, readFilters } from '../catalog.ts';
import { installedPacks } from './installed-packs.ts';

/** What a pack brings: its folder's name, and the names and ids in it. */
export interface Pack {
  name: string;
  scenes: string[];
  costumes: string[];
  filters: { list: CatalogName; id: number; name: string; replaces: boolean }[];
}

/** The installed packs. */
export async function listPacks(config: Pick<Config, 'dataDir'>): Promise<Pack[]> {
  return Promise.all(installedPacks(config).map((folder) => describePack(folder, basename(folder))));
}

export async function describePack(folder: string, name: string): Promise<Pack> {
  const [scenes, costumes] = [await readScenes([folder]), await readCostumes([folder])];
  const filters = readFilters(folder);
  const row = (list: CatalogName) => (filter: CatalogFilter) => ({
    list,
    id: filter.id,
    name: filter.name,
    replaces: filter.replaces === true,
  });
  return {
    name,
    scenes: [...scenes.keys()],
    costumes: [...costumes.keys()],
    filters: catalogNames.flatMap((list) => filters[list].map(row(list))),
  };
}
