import type { Note } from '@guise/contract/notes.ts';
import type { Meanings } from './meanings.ts';
import { findNearest } from './nearest-meaning.ts';
import {
  bestChoice,
  deniedChoices,
  type PromptChoice,
  type PromptChoices,
  type PromptKind,
  type ScoredChoice,
  stemsOf,
  wordsOfMissingTopics,
} from './prompt-choice.ts';
import {
  type Followed,
  type LedTo,
  noteReading,
  type PromptReading,
  unreadWords,
  type WordReading,
} from './prompt-notes.ts';
import {
  allPhrases,
  findConcepts,
  type Mention,
  type Phrase,
  phrases,
  phrasesOf,
  settle,
} from './prompt-phrases.ts';
import { deniedSpans, type Span, spansOf } from './prompt-spans.ts';
import { oneSlipApart, readWords, stem, type Word } from './prompt-words.ts';

/**
 * Reads a prompt by its words alone: tables of concepts, synonyms and the catalog's own tags. Nothing is guessed, so
 * what it cannot follow it can name, and the same prompt always reads the same.
 */
export function readPrompt(text: string, choices: PromptChoices): PromptReading {
  return noteReading(followWords(text, choices));
}

/**
 * Reads a prompt by its words, and then what they leave unread by its meaning: for each kind that no word names, the
 * nearest there is, if it is near enough. `open` is called only for prompts that have such words.
 */
export async function readPromptByMeaning(
  text: string,
  choices: PromptChoices,
  open: () => Promise<Meanings>,
): Promise<PromptReading> {
  const read = followWords(text, choices);
  const lacking = [...unreadWords(read), ...lackingClothes(read, choices)];
  if (lacking.every((word) => word.negated)) return noteReading(read);
  const meant = await followMeaning(read, choices, await open());
  const all = {
    ...read,
    followed: [...read.followed, ...meant.followed],
    offered: [...read.offered, ...meant.offered],
  };
  const reading = noteReading(all);
  if (all.followed.length > 0) return reading;
  const note: Note = { kind: 'input', value: 'prompt', reason: 'nothing in the catalog fits it' };
  return { ...reading, ignored: [note, ...reading.ignored] };
}

function followWords(text: string, choices: PromptChoices): WordReading {
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

  const compounds = wordsOfCompounds(words);
  const free = words.filter((word) => !drawn?.words.includes(word) && !compounds.includes(word));
  const costume = bestChoice(garments(choices), phrases.wardrobe, free, []);
  const scene = findScene(choices, free, [light, weather], costume?.shown ?? []);
  // Neon alone is a street when there is one, and a look when there is none.
  const unclaimed = words.filter((word) => !palette?.words.includes(word));
  const look = drawn ?? (scene ? null : lookByName(unclaimed, choices.looks));

  const followed: Followed[] = [];
  if (scene) followed.push(followChoice('scene', scene));
  // Any place will do for a picture, but nobody is dressed as what is merely near.
  const isWorn = costume !== null && costume.shown.length > 0;
  if (isWorn) followed.push(followChoice('costume', costume));
  for (const [kind, met] of Object.entries({ look, light, weather, palette })) {
    if (met) followed.push({ kind: kind as PromptKind, ...met, title: met.name, shown: met.words });
  }
  const offered = costume !== null && !isWorn ? [followChoice('costume', costume)] : [];
  const denied = words.filter((word) => word.negated && !word.filler && known.has(word.stem));
  return { words, followed, offered, denied };
}

/** Words for clothes that the catalog has none of. */
function lackingClothes({ words, followed }: WordReading, choices: PromptChoices): Word[] {
  const shown = new Set(followed.flatMap((one) => one.shown));
  return wordsOfMissingTopics(garments(choices), phrases.wardrobe, words).filter((word) => !shown.has(word));
}

/** Words of things that only share a word with what the catalog has. */
const wordsOfCompounds = (words: readonly Word[]): Word[] =>
  findConcepts(words, phrases.compounds).flatMap((met) => met.words);

/** A place by the words that it shows; else by what is expected there, but for words that the costume is. */
function findScene(
  choices: PromptChoices,
  words: readonly Word[],
  moods: readonly (Mention | null)[],
  worn: readonly Word[],
): ScoredChoice | null {
  const scene = bestChoice(choices.scenes, phrases.places, words, moods);
  if (scene === null || scene.shown.length > 0) return scene;
  const rest = words.filter((word) => !worn.includes(word));
  return bestChoice(choices.scenes, phrases.places, rest, moods);
}

function followChoice(kind: PromptKind, { choice, words, shown }: ScoredChoice): Followed {
  return { kind, name: choice.name, title: choice.title, words, shown };
}

async function followMeaning(
  read: WordReading,
  choices: PromptChoices,
  meanings: Meanings,
): Promise<{ followed: Followed[]; offered: LedTo[] }> {
  const excluded = excludedNames(read.words, choices);
  // Any place will do for a picture, but whoever asks for a pirate is not dressed as a diver, nor drawn as a comic.
  const clothes = lackingClothes(read, choices);
  const missing = [...clothes, ...wordsOfCompounds(read.words)];
  const unread = new Set([...unreadWords(read), ...clothes].filter(({ text }) => meanings.isWord(text)));
  const hasOne = (span: Span, some: readonly Word[]) => span.words.some((word) => some.includes(word));
  const { matches, offers } = await findNearest(
    {
      spans: spansOf(read.words, (word) => unread.has(word)),
      denied: deniedSpans(read.words),
      isOpen: ({ kind, name }) =>
        !read.followed.some((one) => one.kind === kind) && !excluded[kind].includes(name),
      mayFollow: ({ kind }, span) =>
        kind === 'scene' || (kind === 'costume' ? clothes.length === 0 : !hasOne(span, missing)),
      mayOffer: ({ kind }, span) => kind === 'scene' || hasOne(span, clothes),
    },
    meanings,
  );
  const offeredWords = new Set(read.offered.flatMap(({ words }) => words));
  return {
    followed: matches.map(({ span, option: { kind, name, title } }) => {
      // A look or a light is what its words mean; of a place or a costume nobody can say that it has what they name.
      const isShown = (word: Word) => kind !== 'scene' && kind !== 'costume' && !missing.includes(word);
      const own = span.words.filter(isShown);
      return { kind, name, title, words: span.words, shown: own, reason: 'nearest in meaning' };
    }),
    offered: offers
      .filter(({ span }) => !span.words.some((word) => offeredWords.has(word)))
      .map(({ span, option: { kind, name, title } }) => ({ kind, name, title, words: span.words })),
  };
}

/** What shows something that the words deny. */
function excludedNames(words: readonly Word[], choices: PromptChoices): Record<PromptKind, string[]> {
  const deniedIn = (known: readonly Phrase[]) =>
    findConcepts(words, known)
      .filter((mention) => mention.words.some((word) => word.negated))
      .map(({ name }) => name);
  return {
    scene: deniedChoices(choices.scenes, phrases.places, words),
    costume: deniedChoices(garments(choices), phrases.wardrobe, words),
    look: deniedIn(phrases.looks),
    light: deniedIn(phrases.lights),
    weather: deniedIn(phrases.weathers),
    palette: deniedIn(phrases.palettes),
  };
}

/**
 * The costumes by what they show, as nobody is to be dressed as what is merely near, and without words that also name a
 * place: "in space" asks for no space suit.
 */
function garments({ scenes, costumes = [] }: PromptChoices): PromptChoice[] {
  const placeStems = new Set([
    ...scenes.flatMap((scene) => [...stemsOf(scene)]),
    ...phrases.places.flatMap(({ stems }) => stems),
  ]);
  const worn = (tag: string) =>
    tag
      .split(/[\s-]+/)
      .filter((word) => !placeStems.has(stem(word.toLowerCase())))
      .join(' ');
  return costumes.map((costume) => {
    return { ...costume, tags: (costume.shows ?? costume.tags).map(worn).filter(Boolean) };
  });
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
