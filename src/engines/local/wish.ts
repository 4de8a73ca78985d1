import type { FilterDefinition } from '../../contract/filters.ts';
import { cannotMake } from '../engine.ts';
import { type Costume, readCostumes } from './costumes.ts';
import type { FamilyRule, Params } from './families.ts';
import { lookNames } from './looks/looks.ts';
import { readScenes, type Scene } from './scenes.ts';

/** What a filter or a prompt asks for, with the catalog's things looked up. */
export interface Wish {
  scene: Scene | null;
  look: string | null;
  costume: Costume | null;
  /** A photo whose face is to be replaced. */
  template: string | null;
  applied: string[];
  ignored: string[];
}

const nothing: Wish = { scene: null, look: null, costume: null, template: null, applied: [], ignored: [] };

export async function wishOf(
  filter: FilterDefinition | null,
  params: Params,
  rule: FamilyRule,
): Promise<Wish> {
  const prompt = filter?.kind === 'prompt' ? filter.prompt : params.prompt;
  switch (filter?.kind) {
    case 'scene':
      return wishForScene(filter, rule);
    case 'look':
      return { ...nothing, look: knownLook(filter.look), applied: [`look: ${filter.look}`] };
    case 'template':
      return { ...nothing, template: filter.image, applied: ['template'] };
    case 'workflow':
      throw cannotMake('This filter needs a remote engine, and none is connected.');
    default:
      if (prompt === undefined) throw cannotMake('The request has neither a filter nor a prompt.');
      return wishForPrompt(prompt, rule);
  }
}

async function wishForScene(filter: FilterDefinition & { kind: 'scene' }, rule: FamilyRule): Promise<Wish> {
  const scene = (await scenes()).get(filter.scene);
  if (!scene) throw cannotMake(`The catalog has no scene called ${filter.scene}.`);
  const costume = filter.costume === undefined ? null : (await costumes()).get(filter.costume);
  if (costume === undefined) throw cannotMake(`The catalog has no costume called ${filter.costume}.`);
  const look = filter.look === undefined ? null : knownLook(filter.look);
  const applied = [`scene: ${scene.title}`];
  if (costume) applied.push(`costume: ${costume.title}`);
  if (look) applied.push(`look: ${look}`);
  return { ...nothing, scene, costume, look: look ?? rule.look ?? null, applied };
}

async function wishForPrompt(_prompt: string, _rule: FamilyRule): Promise<Wish> {
  throw cannotMake('Prompts are not understood yet.');
}

function knownLook(name: string): string {
  if (!lookNames.includes(name)) throw cannotMake(`There is no look called ${name}.`);
  return name;
}

let sceneCatalog: Promise<Map<string, Scene>> | undefined;
let costumeCatalog: Promise<Map<string, Costume>> | undefined;

/** The catalog's scenes, read once per process. */
export function scenes(): Promise<Map<string, Scene>> {
  sceneCatalog ??= readScenes();
  return sceneCatalog;
}

export function costumes(): Promise<Map<string, Costume>> {
  costumeCatalog ??= readCostumes();
  return costumeCatalog;
}
