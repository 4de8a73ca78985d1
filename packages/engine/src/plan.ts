import { basename, dirname } from 'node:path';
import type { FilterDefinition, KeptScene } from '@guise/contract/filters.ts';
import type { Note, Notes } from '@guise/contract/notes.ts';
import type { RenderCatalog } from './catalog.ts';
import { type Mood, noMood } from './compose/mood.ts';
import type { Costume } from './costume/costumes.ts';
import type { FamilyRule } from './family-rules.ts';
import { isLookName } from './looks/look-names.ts';
import { readPromptByMeaning } from './prompt/prompt.ts';
import { choiceKnownFor } from './prompt/prompt-choice.ts';
import { lights, palettes, weathers } from './prompt/prompt-concepts.ts';
import type { PromptReading } from './prompt/prompt-notes.ts';
import { phrases } from './prompt/prompt-phrases.ts';
import type { PictureRequest } from './request.ts';
import { cannotMake, RenderError } from './runtime/render-error.ts';
import { readScene, type Scene } from './scenes/scenes.ts';

/** What a filter or a prompt asks for, with the catalog's entries looked up, and what of it is followed so far. */
export interface RenderPlan extends Notes {
  scene: Scene | null;
  look: string | null;
  costume: Costume | null;
  /** A photo whose face is to be replaced. */
  template: string | null;
  mood: Mood;
}

const nothing: RenderPlan = {
  scene: null,
  look: null,
  costume: null,
  template: null,
  mood: noMood,
  applied: [],
  ignored: [],
};

/** Looks up what a picture's filter or prompt names; refuses what is not there. */
export async function planFor(
  { filter, prompt }: Pick<PictureRequest, 'filter' | 'prompt'>,
  rule: FamilyRule,
  catalog: RenderCatalog,
): Promise<RenderPlan> {
  switch (filter?.kind) {
    case 'scene':
      return planForScene(filter, rule, catalog);
    case 'look':
      return { ...nothing, look: knownLook(filter.look), applied: [{ kind: 'look', value: filter.look }] };
    case 'template':
      return { ...nothing, template: filter.image, applied: [{ kind: 'template' }] };
    case 'workflow':
      throw cannotMake('This filter needs a remote engine, and none is connected.');
    default:
      if (prompt === null) throw cannotMake('The request has neither a filter nor a prompt.');
      return planForPrompt(prompt, rule, catalog);
  }
}

async function planForScene(
  filter: FilterDefinition & { kind: 'scene' },
  rule: FamilyRule,
  catalog: RenderCatalog,
): Promise<RenderPlan> {
  const scene = filter.own ? await readOwnScene(filter.own) : (await catalog.scenes()).get(filter.scene);
  if (!scene) throw cannotMake(`The catalog has no scene called ${filter.scene}.`);
  const costume = filter.costume === undefined ? null : (await catalog.costumes()).get(filter.costume);
  if (costume === undefined) throw cannotMake(`The catalog has no costume called ${filter.costume}.`);
  const look = filter.look === undefined ? null : knownLook(filter.look);
  const mood = moodOf(filter);
  const applied: Note[] = [{ kind: 'scene', value: scene.title }];
  if (costume) applied.push({ kind: 'costume', value: costume.title });
  if (look) applied.push({ kind: 'look', value: look });
  for (const kind of ['light', 'weather', 'palette'] as const) {
    const value = mood[kind];
    if (value) applied.push({ kind, value });
  }
  return { ...nothing, scene, costume, look: look ?? rule.look ?? null, mood, applied };
}

/** A scene of an account, in the folder that its pictures were unpacked to. */
function readOwnScene({ files }: KeptScene): Promise<Scene> {
  return readScene(dirname(files), basename(files));
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

async function planForPrompt(prompt: string, rule: FamilyRule, catalog: RenderCatalog): Promise<RenderPlan> {
  const [allScenes, allCostumes] = await Promise.all([catalog.scenes(), catalog.costumes()]);
  const read = await readPromptByMeaning(prompt, await catalog.choices(), catalog.meanings);
  const costume = read.costume === null ? null : allCostumes.get(read.costume)!;
  const applied = [...read.applied];
  const ignored = [...read.ignored];
  let scene = read.scene === null ? null : allScenes.get(read.scene)!;
  // A costume brings its own place; a prompt that names nothing known still gets a picture, and a note says so.
  if (!scene && costume) scene = costume.scenes.map((name) => allScenes.get(name)).find(Boolean) ?? null;
  if (!scene && (costume || !(read.look || read.palette))) {
    scene = placelessScene([...allScenes.values()], read);
    applied.push({ kind: 'scene', value: scene.title, reason: 'the prompt names none that is known' });
  }
  const look = read.look ?? rule.look ?? null;
  if (look && !read.look) applied.push({ kind: 'look', value: look, reason: 'the prompt names none' });
  const { light, weather, palette } = read;
  if (scene) return { ...nothing, scene, costume, look, mood: { light, weather, palette }, applied, ignored };
  // Over the photo itself, light and weather would fall on a room that is not lit that way.
  const isAiry = ({ kind }: Note) => kind === 'light' || kind === 'weather';
  return {
    ...nothing,
    look,
    mood: { ...noMood, palette },
    applied: applied.filter((note) => !isAiry(note)),
    ignored: [...ignored, ...applied.filter(isAiry)],
  };
}

/** Where a prompt names no place: one that is known for the light or the weather it names, else a neutral one. */
function placelessScene(scenes: readonly Scene[], { light, weather }: PromptReading): Scene {
  const scene =
    (weather && choiceKnownFor(scenes, weather, phrases.weathers)) ??
    (light && choiceKnownFor(scenes, light, phrases.lights)) ??
    scenes.find(({ neutral }) => neutral) ??
    scenes[0];
  if (!scene) throw new RenderError('CATALOG_BROKEN', 'The catalog has no scenes.');
  return scene;
}

function knownLook(name: string): string {
  if (!isLookName(name)) throw cannotMake(`There is no look called ${name}.`);
  return name;
}
