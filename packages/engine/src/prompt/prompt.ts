import type { ChoiceNote, Notes } from '@guise/contract/notes.ts';
import { bestChoice, type Choice, stemsOf } from './prompt-choice.ts';
import type { lights, palettes, weathers } from './prompt-concepts.ts';
import { allPhrases, findConcepts, type Mention, phrases, phrasesOf, settle } from './prompt-phrases.ts';
import { oneSlipApart, readWords, stem, textOf, type Word } from './prompt-words.ts';

export type Light = keyof typeof lights;
export type Weather = keyof typeof weathers;
export type Palette = keyof typeof palettes;

export interface PromptChoices {
  scenes: Choice[];
  looks: readonly string[];
  costumes?: Choice[];
}

/** `applied` is what of the prompt is followed, `ignored` the words that are not. */
export interface PromptReading extends Notes {
  scene: string | null;
  costume: string | null;
  look: string | null;
  light: Light | null;
  weather: Weather | null;
  palette: Palette | null;
}

/**
 * Reads a prompt by its words alone: tables of concepts, synonyms and the catalog's own tags. Nothing is guessed, so
 * what it cannot follow it can name, and the same prompt always reads the same.
 */
export function readPrompt(text: string, choices: PromptChoices): PromptReading {
  const known = vocabulary(choices);
  const words = readWords(text).map((word) => corrected(word, known));
  const light = settle(findConcepts(words, phrases.lights));
  const weather = settle(findConcepts(words, phrases.weathers));
  const named = settle(findConcepts(words, phrases.looks).filter(({ name }) => choices.looks.includes(name)));
  const toned = settle(findConcepts(words, phrases.palettes));
  // The longer phrase has the word: "pastel drawing" is no palette, "pastel colours" is no drawing.
  const clash = named !== null && toned?.words.some((word) => named.words.includes(word));
  const palette = clash && toned!.words.length <= named.words.length ? null : toned;
  const drawn = clash && palette !== null ? null : named;

  const free = words.filter((word) => !drawn?.words.includes(word));
  const scene = bestChoice(choices.scenes, phrases.places, free, [light, weather]);
  const costume = bestChoice(garments(choices), phrases.wardrobe, free, []);
  // Neon alone is a street when there is one, and a look when there is none.
  const unclaimed = words.filter((word) => !palette?.words.includes(word));
  const look = drawn ?? (scene ? null : lookByName(unclaimed, choices.looks));

  const denied = words.filter((word) => word.negated && !word.filler && known.has(word.stem));
  const followed: { kind: ChoiceNote['kind']; name: string; words: readonly Word[] }[] = [];
  if (scene) followed.push({ kind: 'scene', name: scene.choice.title, words: scene.words });
  if (costume) followed.push({ kind: 'costume', name: costume.choice.title, words: costume.words });
  if (look) followed.push({ kind: 'look', ...look });
  if (light) followed.push({ kind: 'light', ...light });
  if (weather) followed.push({ kind: 'weather', ...weather });
  if (palette) followed.push({ kind: 'palette', ...palette });
  const used = new Set([...denied, ...followed.flatMap(({ words: met }) => met)]);
  const unread = words.filter((word) => !word.filler && !used.has(word)).map((word) => word.text);
  return {
    scene: scene?.choice.name ?? null,
    costume: costume?.choice.name ?? null,
    look: look?.name ?? null,
    light: light?.name ?? null,
    weather: weather?.name ?? null,
    palette: palette?.name ?? null,
    applied: [
      ...followed.map(({ kind, name, words: met }) => ({ kind, value: name, words: textOf(met) })),
      ...denied.map((word) => ({ kind: 'denied' as const, value: word.text })),
    ],
    ignored: [...new Set(unread)].map((value) => ({ kind: 'word', value })),
  };
}

/** The costumes without the words of their tags that also name a place: "in space" asks for no space suit. */
function garments({ scenes, costumes = [] }: PromptChoices): Choice[] {
  const placeStems = new Set([
    ...scenes.flatMap((scene) => [...stemsOf(scene)]),
    ...phrases.places.flatMap(({ stems }) => stems),
  ]);
  const worn = (tag: string) =>
    tag
      .split(/[\s-]+/)
      .filter((word) => !placeStems.has(stem(word.toLowerCase())))
      .join(' ');
  return costumes.map((costume) => ({ ...costume, tags: costume.tags.map(worn).filter(Boolean) }));
}

/** A look called by its name, when that is most of what is said: "neon" is, "oil lamp" is not. */
function lookByName(words: readonly Word[], looks: readonly string[]): Mention | null {
  const names = Object.fromEntries(looks.map((name) => [name, name.replaceAll('-', ' ')]));
  const met = settle(findConcepts(words, phrasesOf(names)));
  const content = words.filter((word) => !word.filler && !word.negated).length;
  return met && content < 2 * met.words.length ? met : null;
}

function vocabulary({ scenes, costumes = [] }: PromptChoices): Set<string> {
  const stems = allPhrases.flatMap((phrase) => phrase.stems);
  return new Set([...stems, ...[...scenes, ...costumes].flatMap((choice) => [...stemsOf(choice)])]);
}

/** Reads a long word with one slip in it as the word it was meant to be, when only one meaning is that near. */
function corrected(word: Word, known: ReadonlySet<string>): Word {
  if (word.filler || word.stem.length < 6 || known.has(word.stem)) return word;
  const near = [...known].filter((other) => other[0] === word.stem[0] && oneSlipApart(word.stem, other));
  return new Set(near.map(meaning)).size === 1 ? { ...word, stem: near[0]! } : word;
}

/** The concepts a word stands for; a word of the catalog alone stands for itself. */
function meaning(wordStem: string): string {
  const meant = allPhrases.filter(({ stems }) => stems.length === 1 && stems[0] === wordStem);
  return meant.map(({ name }) => name).join(' ') || wordStem;
}
