import type { FilterDefinition } from '@guise/contract/filters.ts';
import { type Mood, noMood } from './compose/mood.ts';
import { type Costume, readCostumes } from './costume/costumes.ts';
import type { FamilyRule, Params } from './family-rules.ts';
import { lookNames } from './looks/looks.ts';
import { readPrompt } from './prompt/prompt.ts';
import { lights, palettes, weathers } from './prompt/prompt-concepts.ts';
import { cannotMake, RenderError } from './runtime/render-error.ts';
import { catalogFolder } from './scenes/catalog-entries.ts';
import { readScenes, type Scene } from './scenes/scenes.ts';

/** What a filter or a prompt asks for, with the catalog's things looked up. */
export interface Wish {
  scene: Scene | null;
  look: string | null;
  costume: Costume | null;
  /** A photo whose face is to be replaced. */
  template: string | null;
  mood: Mood;
  applied: string[];
  ignored: string[];
}

const nothing: Wish = {
  scene: null,
  look: null,
  costume: null,
  template: null,
  mood: noMood,
  applied: [],
  ignored: [],
};

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
  const mood = moodOf(filter);
  for (const [kind, name] of Object.entries(mood)) if (name) applied.push(`${kind}: ${name}`);
  return { ...nothing, scene, costume, look: look ?? rule.look ?? null, mood, applied };
}

/** The light, weather and palette that a filter of the catalog gives its scene. */
function moodOf(filter: {
  light?: string | undefined;
  weather?: string | undefined;
  palette?: string | undefined;
}): Mood {
  const known = <T extends object>(kind: string, names: T, name: string | undefined): keyof T | null => {
    if (name === undefined) return null;
    if (!(name in names)) throw cannotMake(`The catalog has no ${kind} called ${name}.`);
    return name as keyof T;
  };
  return {
    light: known('light', lights, filter.light),
    weather: known('weather', weathers, filter.weather),
    palette: known('palette', palettes, filter.palette),
  };
}

async function wishForPrompt(prompt: string, rule: FamilyRule): Promise<Wish> {
  const [allScenes, allCostumes] = await Promise.all([scenes(), costumes()]);
  const read = readPrompt(prompt, {
    scenes: [...allScenes.values()],
    costumes: [...allCostumes.values()],
    looks: lookNames,
  });
  const costume = read.costume === null ? null : allCostumes.get(read.costume)!;
  const applied = [...read.applied];
  const ignored = [...read.ignored];
  let scene = read.scene === null ? null : allScenes.get(read.scene)!;
  // A costume brings its own place; a prompt that names nothing known still gets a picture, and is told so.
  if (!scene && costume) scene = costume.scenes.map((name) => allScenes.get(name)).find(Boolean) ?? null;
  if (!scene && (costume || !(read.look || read.palette))) {
    scene = anyScene(allScenes, prompt);
    applied.push(`scene: ${scene.title} (the prompt names none that is known)`);
  }
  const look = read.look ?? rule.look ?? null;
  if (look && !read.look) applied.push(`look: ${look} (the prompt names none)`);
  const { light, weather, palette } = read;
  if (scene) return { ...nothing, scene, costume, look, mood: { light, weather, palette }, applied, ignored };
  // Over the photo itself, light and weather would fall on a room that is not lit that way.
  const airy = applied.filter((words) => words.startsWith('light:') || words.startsWith('weather:'));
  return {
    ...nothing,
    look,
    mood: { ...noMood, palette },
    applied: applied.filter((words) => !airy.includes(words)),
    ignored: [...ignored, ...airy],
  };
}

/** The same prompt always gets the same scene. */
function anyScene(all: Map<string, Scene>, prompt: string): Scene {
  const list = [...all.values()];
  let sum = 0;
  for (const letter of prompt) sum = (sum * 31 + letter.codePointAt(0)!) >>> 0;
  const scene = list[sum % list.length];
  if (!scene) throw new RenderError('CATALOG_BROKEN', 'The catalog has no scenes.');
  return scene;
}

function knownLook(name: string): string {
  if (!lookNames.includes(name)) throw cannotMake(`There is no look called ${name}.`);
  return name;
}

let catalogs: readonly string[] = [catalogFolder];
let sceneCatalog: Promise<Map<string, Scene>> | undefined;
let costumeCatalog: Promise<Map<string, Costume>> | undefined;

/** The operator's packs that are there beside the catalog's own. */
export function usePacks(packs: readonly string[]): void {
  catalogs = [catalogFolder, ...packs];
  sceneCatalog = costumeCatalog = undefined;
}

/** The catalogs' scenes, read once per process. */
export function scenes(): Promise<Map<string, Scene>> {
  sceneCatalog ??= readScenes(catalogs);
  return sceneCatalog;
}

export function costumes(): Promise<Map<string, Costume>> {
  costumeCatalog ??= readCostumes(catalogs);
  return costumeCatalog;
}
