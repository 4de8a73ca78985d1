import { join } from 'node:path';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { readCostumes } from '@guise/engine/costume/costumes.ts';
import { lookNames } from '@guise/engine/looks/look-names.ts';
import { checkCostumePictures, checkScenePictures } from '@guise/engine/packs/pack-pictures.ts';
import { lights, palettes, weathers } from '@guise/engine/prompt/prompt-concepts.ts';
import { readScenes } from '@guise/engine/scenes/scenes.ts';
import { loadCatalog, readFilters } from '../catalog.ts';
import { ownCatalogDir, ownFiltersFile } from '../own-catalog.ts';
import { packRefused } from './pack-refused.ts';

/** What packs, scenes and costumes may be called. */
export const packName = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Reads a pack as a server would, beside those that are installed, and every picture in it. */
export async function checkPack(folder: string, installed: readonly string[]): Promise<void> {
  const packs = [...installed, folder];
  const scenes = await readScenes([ownCatalogDir, ...packs]);
  const costumes = await readCostumes([ownCatalogDir, ...packs]);
  const own = (entry: { folder: string }) => entry.folder.startsWith(folder);
  for (const scene of [...scenes.values()].filter(own)) {
    assertName(scene.folder, scene.name);
    await checkScenePictures(scene);
  }
  for (const costume of [...costumes.values()].filter(own)) {
    assertName(costume.folder, costume.name);
    await checkCostumePictures(costume);
    assertKnown(join(costume.folder, 'costume.json'), 'scene', costume.scenes, scenes);
  }
  loadCatalog(ownFiltersFile, packs);
  checkFilters(folder, scenes, costumes);
}

interface Names {
  has(name: string): boolean;
}

function checkFilters(folder: string, scenes: Names, costumes: Names): void {
  const filters = readFilters(folder);
  for (const list of catalogNames) {
    for (const { id, definition } of filters[list]) {
      const at = `${join(folder, 'filters.json')}: ${list} ${id}`;
      if (definition.look) assertKnown(at, 'look', [definition.look], new Set(lookNames));
      if (definition.kind !== 'scene') continue;
      assertKnown(at, 'scene', [definition.scene], scenes);
      assertKnown(at, 'costume', [definition.costume], costumes);
      for (const [kind, names] of Object.entries({ light: lights, weather: weathers, palette: palettes })) {
        assertKnown(at, kind, [definition[kind as 'light']], new Map(Object.entries(names)));
      }
    }
  }
}

function assertName(folder: string, name: string): void {
  if (!packName.test(name)) throw packRefused(folder, 'its name must be like neon-street. Rename the folder');
}

function assertKnown(at: string, kind: string, names: readonly (string | undefined)[], known: Names): void {
  for (const name of names) {
    if (name !== undefined && !known.has(name)) {
      throw packRefused(at, `there is no ${kind} called ${name}. Correct the name, or add it to the pack`);
    }
  }
}
