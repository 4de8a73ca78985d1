import { type Costume, readCostumes } from './costume/costumes.ts';
import { once } from './once.ts';
import { catalogFolder } from './scenes/catalog-entries.ts';
import { readScenes, type Scene } from './scenes/scenes.ts';

/** The scenes and costumes there are, by name; read on first use. */
export interface Catalog {
  scenes(): Promise<Map<string, Scene>>;
  costumes(): Promise<Map<string, Costume>>;
}

/** The catalog's own, and those of the operator's packs. */
export function openCatalog(packs: readonly string[]): Catalog {
  const folders = [catalogFolder, ...packs];
  return { scenes: once(() => readScenes(folders)), costumes: once(() => readCostumes(folders)) };
}
