import { type Costume, readCostumes } from './costume/costumes.ts';
import { lookNames } from './looks/look-names.ts';
import { type Meanings, openMeanings } from './prompt/meanings.ts';
import type { PromptChoices } from './prompt/prompt-choice.ts';
import { once } from './runtime/once.ts';
import { catalogFolder } from './scenes/catalog-entries.ts';
import { readScenes, type Scene } from './scenes/scenes.ts';

/** The scenes and costumes there are, by name; read on first use. */
export interface RenderCatalog {
  scenes(): Promise<Map<string, Scene>>;
  costumes(): Promise<Map<string, Costume>>;
  /** What prompts can ask for. */
  choices(): Promise<PromptChoices>;
  /** What these mean, for prompts whose words are not those of the catalog. */
  meanings(): Promise<Meanings>;
}

/** The catalog's own, and those of the operator's packs. */
export function openCatalog(packs: readonly string[], cacheDir: string | null): RenderCatalog {
  const folders = [catalogFolder, ...packs];
  const scenes = once(() => readScenes(folders));
  const costumes = once(() => readCostumes(folders));
  const choices = once(async () => ({
    scenes: [...(await scenes()).values()],
    costumes: [...(await costumes()).values()],
    looks: lookNames,
  }));
  return { scenes, costumes, choices, meanings: once(async () => openMeanings(await choices(), cacheDir)) };
}
