import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyParams, FamilyName } from '@guise/contract/families/families.ts';
import { familyOf } from '@guise/contract/families/families.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import {
  CostumeWords,
  type FilterWords,
  type Person,
  people,
  SceneWords,
  SharedWords,
  type StyleWords,
  type WordsByPerson,
} from '@guise/contract/generator-words.ts';
import { once } from '@guise/engine/runtime/once.ts';
import { readEntries, readEntry } from '@guise/engine/scenes/catalog-entries.ts';
import { z } from 'zod';
import type { Catalog } from './catalog.ts';
import { ownCatalogDir } from './own-catalog.ts';

/** What of a job a generator is told in words. */
export interface PromptDemand {
  family: FamilyName;
  params: AnyParams;
  filter: FilterDefinition | null;
  filterRef: string | null;
  /** The words of the run, its filter or its route, which stand in place of the catalog's. */
  prompt: string | null;
}

/** A job in words, in the forms that different models take them. */
export interface GeneratorPrompt {
  /** Whom the picture is of: "a woman as a queen". */
  subject: string;
  /** What is around and on them: clothes, place, light, colours; or the prompt of the run. */
  scene: string;
  /** The whole picture, for models that make one from a text. */
  picture: string;
  /** What to change, as an instruction, for models that edit the photo. */
  change: string;
  /** What the result is made like: "an ink drawing, bold brush strokes". */
  style: string;
  /** What must not be in it. */
  avoid: string;
}

/** Writes prompts from the words of the catalog and of packs, which are read on first use. */
export function createPromptWriter(
  packs: readonly string[],
  catalog: Pick<Catalog, 'find'>,
): (demand: PromptDemand) => Promise<GeneratorPrompt> {
  const words = once(() => readWords(packs));
  return async (demand) => writePrompt(await words(), demand, filterWordsOf(catalog, demand));
}

const WordedScene = z.object({ title: z.string(), words: SceneWords.optional() });
const WordedCostume = z.object({ title: z.string(), words: CostumeWords.optional() });

interface CatalogWords extends SharedWords {
  scenes: Map<string, z.infer<typeof WordedScene>>;
  costumes: Map<string, z.infer<typeof WordedCostume>>;
}

async function readWords(packs: readonly string[]): Promise<CatalogWords> {
  const folders = [ownCatalogDir, ...packs];
  const entries = <Shape extends z.ZodType<object>>(kind: string, file: string, shape: Shape) =>
    readEntries(folders, { kind, file }, async (folder, name) => ({
      ...(await readEntry(shape, folder, name, file)),
      name,
      folder,
    }));
  return {
    ...readSharedWords(),
    scenes: await entries('scenes', 'scene.json', WordedScene),
    costumes: await entries('costumes', 'costume.json', WordedCostume),
  };
}

export function readSharedWords(): SharedWords {
  return SharedWords.parse(JSON.parse(readFileSync(join(ownCatalogDir, 'words.json'), 'utf8')));
}

/** The words of a numbered filter's own. Custom filters have UUIDs, and the words of what they are made of. */
function filterWordsOf(
  catalog: Pick<Catalog, 'find'>,
  { family, filterRef }: PromptDemand,
): FilterWords | undefined {
  const numbered = familyOf(family).filter;
  if (!numbered || filterRef === null || !/^\d+$/.test(filterRef)) return undefined;
  return catalog.find(numbered.catalog, Number(filterRef))?.words;
}

function writePrompt(words: CatalogWords, demand: PromptDemand, own: FilterWords = {}): GeneratorPrompt {
  const { family, params, filter, prompt } = demand;
  const person = personOf(family, params);
  const scene = filter?.kind === 'scene' ? sceneWordsOf(words, filter) : undefined;
  const costume = filter?.kind === 'scene' ? words.costumes.get(filter.costume ?? '') : undefined;
  const parts = filter?.kind === 'scene' ? filter : undefined;
  const place = own.place ?? scene?.words?.place ?? (scene && `in this place: ${scene.title}`);
  const light = own.light ?? words.lights[parts?.light ?? ''] ?? scene?.words?.light;
  const colours = words.palettes[parts?.palette ?? ''];
  const surroundings = [place, words.weathers[parts?.weather ?? ''], light, colours];
  const wardrobe =
    forPerson(own.wardrobe, person) ??
    forPerson(costume?.words?.wardrobe, person) ??
    (costume && `the clothes of this costume: ${costume.title}`) ??
    forPerson(scene?.words?.wardrobe, person);
  const role = forPerson(own.subject ?? costume?.words?.subject, person);
  const subject = role && prompt === null ? `${nameOf(person)} as ${role}` : nameOf(person);
  const { medium, style, avoid } = styleOf(words, demand, own);
  const video = familyOf(family).output === 'video';
  const around = prompt ?? joined([wardrobe && `wearing ${wardrobe}`, ...surroundings]);
  const avoided = prompt === null ? [own.avoid, costume?.words?.avoid, scene?.words?.avoid] : [];
  return {
    subject,
    scene: around === '' && filter?.kind === 'look' ? `${medium}, ${style}` : around,
    // What moves is all that a video's prompt has to say: the photo says the rest.
    picture: video ? around : joined([`${medium} of ${subject}`, around, 'looking at the camera', style]),
    change: changeOf({ prompt, role, wardrobe, surroundings: joined(surroundings) }),
    style: `${medium}, ${style}`,
    avoid: joined([...avoided, avoid]),
  };
}

/** The words of the catalog's scene, or of an account's own. */
function sceneWordsOf(
  { scenes }: CatalogWords,
  { scene, own }: Extract<FilterDefinition, { kind: 'scene' }>,
): z.infer<typeof WordedScene> | undefined {
  if (!own) return scenes.get(scene);
  return { title: own.title, ...(own.place !== '' && { words: { place: own.place } }) };
}

/** A look's own way, or that of the family: a prompt of a family that stylizes is drawn. */
function styleOf(words: SharedWords, { family, filter }: PromptDemand, own: FilterWords): StyleWords {
  const look = filter?.kind === 'scene' || filter?.kind === 'look' ? filter.look : undefined;
  const known = look === undefined ? undefined : words.looks[look];
  const others = words[familyOf(family).medium];
  const { style = (known ?? others).style } = own;
  return { ...(known ?? others), style };
}

interface Change {
  prompt: string | null;
  role: string | undefined;
  wardrobe: string | undefined;
  surroundings: string;
}

function changeOf({ prompt, role, wardrobe, surroundings }: Change): string {
  if (prompt !== null) return `Change the scene and their clothes to this: ${prompt}.`;
  if (surroundings === '' && wardrobe === undefined)
    return 'Leave the place, the clothes and the poses as they are.';
  const dressed = wardrobe === undefined ? '' : ` Dress them in ${wardrobe}.`;
  const shown = role === undefined ? '' : ` Show them as ${role}.`;
  return `Put them ${surroundings}.${shown}${dressed}`;
}

function personOf(family: FamilyName, { gender }: AnyParams): Person | null {
  const { mode, output } = familyOf(family);
  return people[gender ?? -1] ?? (mode === 'group' && output === 'image' ? 'group' : null);
}

function nameOf(person: Person | null): string {
  if (person === 'group') return 'a group of people';
  return `a ${person ?? 'person'}`;
}

function forPerson(words: WordsByPerson | undefined, person: Person | null): string | undefined {
  return words && ((person && words[person]) ?? words.any);
}

const joined = (parts: readonly (string | undefined)[]) =>
  parts.filter((part) => part !== undefined && part !== '').join(', ');
