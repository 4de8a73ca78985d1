import { findConcepts, type Mention, type Phrase, phrasesOf } from './prompt-phrases.ts';
import { readWords, stem, type Word } from './prompt-words.ts';

export const promptKinds = ['scene', 'costume', 'look', 'light', 'weather', 'palette'] as const;
/** The kinds of things that a prompt can ask for. */
export type PromptKind = (typeof promptKinds)[number];

export interface PromptChoices {
  scenes: PromptChoice[];
  looks: readonly string[];
  costumes?: PromptChoice[];
}

/** A scene or costume that a prompt can ask for. */
export interface PromptChoice {
  name: string;
  title: string;
  /** Words that prompts find it by: what is there, and what one may expect there. */
  tags: readonly string[];
  /** The words and phrases for what its picture really has; without them, all that it is found by. */
  shows?: readonly string[] | undefined;
  /** What it shows, in sentences. */
  description?: string | undefined;
}

export interface ScoredChoice {
  choice: PromptChoice;
  score: number;
  /** The words that it was chosen by. */
  words: Word[];
  /** Those of them that name what its picture has: of "lighthouse by a harbour" the harbour. */
  shown: Word[];
}

/** Points for a word of the choice itself, for a word of the same topic, and for fitting light or weather. */
const sameWord = 3;
const sameTopic = 1.7;
const sameMood = 0.6;
/** The share that a word keeps which the choice is found by though its picture does not have it. */
const notShown = 0.3;
/** A single word that a dozen choices share is too little to choose by. */
const leastScore = 0.75;

interface Described {
  choice: PromptChoice;
  stems: Set<string>;
  /** What its picture has. */
  shows: readonly Phrase[];
  /** Each topic it belongs to, and how many of its texts say so. */
  topics: Map<string, number>;
}

/**
 * The scene or costume that most of the prompt's words belong to. Words that many choices share count less, light and
 * weather decide between choices that are nearly equal, and a choice that shows something denied is left out. Equal
 * scores go by name.
 */
export function bestChoice(
  choices: readonly PromptChoice[],
  topics: readonly Phrase[],
  words: readonly Word[],
  moods: readonly (Mention | null)[],
): ScoredChoice | null {
  const described = choices.map((choice) => describe(choice, topics));
  const mentions = findConcepts(words, topics);
  const chosen = described
    .filter((one) => !showsDenied(one, words, mentions))
    .map((one) => score(one, described, words, mentions, moods))
    .filter((one) => one !== null);
  chosen.sort((one, other) => other.score - one.score || (one.choice.name < other.choice.name ? -1 : 1));
  return chosen[0] ?? null;
}

function describe(choice: PromptChoice, topics: readonly Phrase[]): Described {
  return { choice, stems: stemsOf(choice), shows: shownPhrases(choice), topics: topicsOf(choice, topics) };
}

/** The first choice whose own words name a light or weather: a night, a place known for its mist. */
export function choiceKnownFor<C extends PromptChoice>(
  choices: readonly C[],
  mood: string,
  moods: readonly Phrase[],
): C | undefined {
  const names = moods.filter(({ name, stems }) => name === mood && stems.length === 1);
  return choices.find((choice) => {
    const own = stemsOf(choice);
    return names.some(({ stems: [only] }) => own.has(only!));
  });
}

/** The names of the choices that show something denied. */
export function deniedChoices(
  choices: readonly PromptChoice[],
  topics: readonly Phrase[],
  words: readonly Word[],
): string[] {
  const mentions = findConcepts(words, topics);
  return choices
    .filter((choice) => showsDenied(describe(choice, topics), words, mentions))
    .map(({ name }) => name);
}

/** The words that name a topic which none of the choices belongs to. */
export function wordsOfMissingTopics(
  choices: readonly PromptChoice[],
  topics: readonly Phrase[],
  words: readonly Word[],
): Word[] {
  const known = new Set(choices.flatMap((choice) => [...topicsOf(choice, topics).keys()]));
  const missing = findConcepts(words, topics).filter(({ name }) => !known.has(name));
  return missing.flatMap((mention) => mention.words).filter((word) => !word.negated);
}

function showsDenied(
  { stems, topics }: Described,
  words: readonly Word[],
  mentions: readonly Mention[],
): boolean {
  return (
    words.some((word) => word.negated && !word.filler && stems.has(word.stem)) ||
    mentions.some((mention) => topics.has(mention.name) && mention.words.some((word) => word.negated))
  );
}

function score(
  { choice, stems, shows, topics }: Described,
  all: readonly Described[],
  words: readonly Word[],
  mentions: readonly Mention[],
  moods: readonly (Mention | null)[],
): ScoredChoice | null {
  const points = new Map<Word, number>();
  const addPoints = (word: Word, worth: number) => points.set(word, Math.max(worth, points.get(word) ?? 0));
  // The single words of a longer phrase are not counted: "under the sea" is not by the sea, and "golden
  // hour" not the blue one.
  const phrases = [...mentions, ...moods].filter((met) => met !== null && met.words.length > 1);
  const inPhrase = new Set(phrases.flatMap((met) => met!.words));
  for (const word of words) {
    if (word.filler || word.negated || inPhrase.has(word) || !stems.has(word.stem)) continue;
    const sharing = all.filter((other) => other.stems.has(word.stem)).length;
    addPoints(word, sameWord / Math.sqrt(sharing));
  }
  for (const { name, words: met } of mentions) {
    if (!topics.has(name) || met.some((word) => word.negated)) continue;
    const sharing = all.filter((other) => other.topics.has(name)).length;
    const depth = 1 + 0.1 * (topics.get(name)! - 1);
    const worth = ((met.length > 1 ? sameWord : sameTopic) * depth) / Math.sqrt(sharing);
    for (const word of met) addPoints(word, worth / met.length);
  }
  const certain = [...points.values()].reduce((sum, worth) => sum + worth, 0);
  // Light and weather that happen to be tags do not make a place: "at night" alone asks for no scene.
  const moodWords = moods.flatMap((mood) => mood?.words ?? []);
  if (certain < leastScore || [...points.keys()].every((word) => moodWords.includes(word))) return null;
  const named = wordsShown(words, shows, mentions).filter((phrase) =>
    phrase.some((word) => points.has(word)),
  );
  const shown = choice.shows === undefined ? new Set(points.keys()) : new Set(named.flat());
  const weighed = [...points].reduce(
    (sum, [word, worth]) => sum + worth * (shown.has(word) ? 1 : notShown),
    0,
  );
  const fitting = moods.filter((mood) => mood && stems.has(stem(mood.name.split('-')[0]!))).length;
  return {
    choice,
    score: weighed + fitting * sameMood,
    words: words.filter((word) => points.has(word) || shown.has(word)),
    shown: words.filter((word) => shown.has(word)),
  };
}

/** The phrases that name what a picture has. Of "star wars" none names a star: a longer phrase has that word. */
function wordsShown(
  words: readonly Word[],
  shows: readonly Phrase[],
  mentions: readonly Mention[],
): readonly Word[][] {
  const isPartOf = (met: readonly Word[], longer: readonly Word[]) =>
    longer.length > met.length && met.every((word) => longer.includes(word));
  return findConcepts(words, shows)
    .map((mention) => mention.words)
    .filter((met) => !mentions.some((mention) => isPartOf(met, mention.words)));
}

function shownPhrases({ title, shows = [] }: PromptChoice): readonly Phrase[] {
  const titleWords = readWords(title).filter((word) => !word.filler);
  return phrasesOf({ shown: [...titleWords.map((word) => word.text), ...shows].join(',') });
}

/** Colours are on every picture and name no place; the carpet is red by its phrase. */
const colours = new Set(
  'red orange yellow green blue purple violet pink brown black white grey gray gold golden silver'.split(' '),
);

/** Every word that describes a choice, as compared. */
export function stemsOf({ name, title, tags }: PromptChoice): Set<string> {
  const words = readWords([name, title, ...tags].join(' ')).filter(
    (word) => !word.filler && !colours.has(word.text),
  );
  return new Set(words.map((word) => word.stem));
}

function topicsOf({ name, title, tags }: PromptChoice, topics: readonly Phrase[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of [name.replaceAll('-', ' '), title, ...tags]) {
    const met = new Set(findConcepts(readWords(text), topics).map((mention) => mention.name));
    for (const topic of met) counts.set(topic, (counts.get(topic) ?? 0) + 1);
  }
  return counts;
}
