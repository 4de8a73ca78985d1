import { lights, lookWords, palettes, places, wardrobe, weathers } from './prompt-concepts.ts';
import { oneSlipApart, readWords, stem, type Word } from './prompt-words.ts';

export type Light = keyof typeof lights;
export type Weather = keyof typeof weathers;
export type Palette = keyof typeof palettes;

/** A scene or costume that a prompt can ask for. */
export interface Choice {
  name: string;
  title: string;
  tags: string[];
}

export interface PromptChoices {
  scenes: Choice[];
  looks: readonly string[];
  costumes?: Choice[];
}

export interface PromptReading {
  scene: string | null;
  costume: string | null;
  look: string | null;
  light: Light | null;
  weather: Weather | null;
  palette: Palette | null;
  /** What of the prompt is followed, in words for the guest. */
  applied: string[];
  /** The words that are not. */
  ignored: string[];
}

/**
 * Reads a prompt by its words alone: tables of concepts, synonyms and the catalog's own tags. Nothing is guessed, so
 * what it cannot follow it can name, and the same prompt always reads the same.
 */
export function readPrompt(text: string, choices: PromptChoices): PromptReading {
  const words = corrected(readWords(text), choices);
  const used = new Set<Word>();
  const applied: string[] = [];

  const look = settle(findConcepts(words, lookWords), choices.looks);
  const light = settle(findConcepts(words, lights), Object.keys(lights));
  const weather = settle(findConcepts(words, weathers), Object.keys(weathers));
  // A word that named the look is not asked again: "pastel drawing" is no palette, "pastel colours" no drawing.
  const palette = settle(findConcepts(words, palettes), Object.keys(palettes));
  const lookWins = look && palette && look.words.some((word) => palette.words.includes(word));
  const paletteLonger = lookWins && palette.words.length > look.words.length;

  const free = words.filter((word) => !look?.words.includes(word));
  const scene = bestChoice(choices.scenes, places, free, [light, weather]);
  // A word that also names a place dresses nobody: "in space" asks for no space suit.
  const placeWords = new Set(choices.scenes.flatMap((choice) => [...stemsOf(choice)]));
  const garments = (choices.costumes ?? []).map((choice) => ({
    ...choice,
    tags: choice.tags.filter((tag) => !placeWords.has(stem(tag.toLowerCase()))),
  }));
  const costume = bestChoice(garments, wardrobe, free, []);

  const kept = {
    look: paletteLonger ? null : look,
    palette: lookWins && !paletteLonger ? null : palette,
  };
  // Neon alone is a street when there is one, and a look when there is none.
  const lone =
    kept.look || scene
      ? null
      : loneLook(
          words.filter((word) => !kept.palette?.words.includes(word)),
          choices.looks,
        );

  const say = (kind: string, name: string, from: readonly Word[]) => {
    for (const word of from) used.add(word);
    applied.push(`${kind}: ${name} (${from.map((word) => word.text).join(' ')})`);
  };
  if (scene) say('scene', scene.choice.title, scene.words);
  if (costume) say('costume', costume.choice.title, costume.words);
  const chosenLook = kept.look ?? lone;
  if (chosenLook) say('look', chosenLook.name.replaceAll('-', ' '), chosenLook.words);
  if (light) say('light', light.name.replaceAll('-', ' '), light.words);
  if (weather) say('weather', weather.name, weather.words);
  if (kept.palette) say('colours', kept.palette.name, kept.palette.words);
  for (const word of words) {
    if (!word.negated || word.filler) continue;
    if (isKnown(word, choices)) {
      used.add(word);
      applied.push(`no ${word.text}`);
    }
  }
  return {
    scene: scene?.choice.name ?? null,
    costume: costume?.choice.name ?? null,
    look: chosenLook?.name ?? null,
    light: (light?.name as Light | undefined) ?? null,
    weather: (weather?.name as Weather | undefined) ?? null,
    palette: (kept.palette?.name as Palette | undefined) ?? null,
    applied,
    ignored: [...new Set(words.filter((word) => !word.filler && !used.has(word)).map((word) => word.text))],
  };
}

/** A concept met in the prompt, with the words that met it. */
interface Meeting {
  name: string;
  words: Word[];
}

type Phrases = readonly { name: string; stems: string[] }[];
const phraseTables = new Map<Readonly<Record<string, string>>, Phrases>();

function phrasesOf(table: Readonly<Record<string, string>>): Phrases {
  const known = phraseTables.get(table);
  if (known) return known;
  const phrases = Object.entries(table)
    .flatMap(([name, list]) =>
      list.split(',').map((phrase) => ({ name, stems: phrase.trim().split(/\s+/).map(stem) })),
    )
    .sort((one, other) => other.stems.length - one.stems.length);
  phraseTables.set(table, phrases);
  return phrases;
}

/** Every concept of a table that the prompt names; a longer phrase takes its words away from shorter ones. */
function findConcepts(words: readonly Word[], table: Readonly<Record<string, string>>): Meeting[] {
  const taken = new Map<Word, number>();
  const meetings: Meeting[] = [];
  for (const { name, stems } of phrasesOf(table)) {
    for (let start = 0; start + stems.length <= words.length; start++) {
      if (!stems.every((wanted, k) => words[start + k]!.stem === wanted)) continue;
      const met = words.slice(start, start + stems.length);
      if (met.some((word) => (taken.get(word) ?? 0) > stems.length)) continue;
      for (const word of met) taken.set(word, stems.length);
      meetings.push({ name, words: met });
    }
  }
  return meetings;
}

/** The one concept to follow: the longest phrase, then the one said first; never a denied one. */
function settle(meetings: readonly Meeting[], allowed: readonly string[]): Meeting | null {
  const wanted = meetings.filter(
    ({ name, words }) => allowed.includes(name) && words.every((word) => !word.negated),
  );
  return wanted[0] ?? null;
}

interface Scored {
  choice: Choice;
  score: number;
  words: Word[];
}

const sameWord = 3;
const sameTopic = 1.7;
const sameLight = 0.6;

/**
 * The scene or costume that most of the prompt's words speak for. Words that many choices share count less, light and
 * weather only tip the balance, and a choice that shows something denied is out. Equal scores go by name.
 */
function bestChoice(
  choices: readonly Choice[],
  topics: Readonly<Record<string, string>>,
  words: readonly Word[],
  moods: readonly (Meeting | null)[],
): Scored | null {
  const meetings = findConcepts(words, topics);
  const described = choices.map((choice) => ({
    choice,
    stems: stemsOf(choice),
    topics: topicsOf(choice, topics),
  }));
  // In a longer phrase the single words no longer speak for themselves: "under the sea" is not by the sea.
  const inPhrase = new Set(
    meetings.filter(({ words: met }) => met.length > 1).flatMap(({ words: met }) => met),
  );
  const scored: Scored[] = [];
  for (const { choice, stems, topics: own } of described) {
    let score = 0;
    let forbidden = false;
    const met = new Set<Word>();
    const gain = new Map<Word, number>();
    const count = (word: Word, points: number) => {
      if (points > (gain.get(word) ?? 0)) gain.set(word, points);
    };
    for (const word of words) {
      if (word.filler || !stems.has(word.stem)) continue;
      if (word.negated) forbidden = true;
      else if (!inPhrase.has(word)) {
        count(word, sameWord / Math.sqrt(described.filter((other) => other.stems.has(word.stem)).length));
      }
    }
    for (const meeting of meetings) {
      if (!own.has(meeting.name)) continue;
      if (meeting.words.some((word) => word.negated)) forbidden = true;
      else {
        const sharing = described.filter((other) => other.topics.has(meeting.name)).length;
        const points = (meeting.words.length > 1 ? sameWord : sameTopic) / Math.sqrt(sharing);
        for (const word of meeting.words) count(word, points / meeting.words.length);
      }
    }
    for (const [word, points] of gain) {
      score += points;
      met.add(word);
    }
    const certain = score;
    for (const mood of moods) {
      if (!mood || !stems.has(stem(mood.name.split('-')[0]!))) continue;
      score += sameLight;
    }
    // Light and weather that happen to be tags do not make a place: "at night" alone asks for no scene.
    const moodWords = moods.flatMap((mood) => mood?.words ?? []);
    const placed = [...met].some((word) => !moodWords.includes(word));
    if (!forbidden && placed && certain >= 0.75) {
      scored.push({ choice, score, words: words.filter((word) => met.has(word)) });
    }
  }
  scored.sort((one, other) => other.score - one.score || (one.choice.name < other.choice.name ? -1 : 1));
  return scored[0] ?? null;
}

function stemsOf({ name, title, tags }: Choice): Set<string> {
  const words = `${name} ${title} ${tags.join(' ')}`.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    readWords(words.join(' '))
      .filter((word) => !word.filler)
      .map((word) => word.stem),
  );
}

function topicsOf({ name, title, tags }: Choice, topics: Readonly<Record<string, string>>): Set<string> {
  const met = [name.replaceAll('-', ' '), title, ...tags].flatMap((text) =>
    findConcepts(readWords(text), topics),
  );
  return new Set(met.map((meeting) => meeting.name));
}

/** A look named by its own word alone, when nothing else claims the word: "neon", "low-poly". */
function loneLook(words: readonly Word[], looks: readonly string[]): Meeting | null {
  for (const name of looks) {
    const stems = name.split('-').map(stem);
    for (let start = 0; start + stems.length <= words.length; start++) {
      const met = words.slice(start, start + stems.length);
      if (met.every((word, k) => word.stem === stems[k] && !word.negated)) return { name, words: met };
    }
  }
  return null;
}

const tables = [lights, weathers, palettes, lookWords, places, wardrobe];

function vocabulary(choices: PromptChoices): Set<string> {
  const stems = new Set<string>();
  for (const table of tables) {
    for (const phrase of phrasesOf(table)) for (const word of phrase.stems) stems.add(word);
  }
  for (const choice of [...choices.scenes, ...(choices.costumes ?? [])]) {
    for (const word of stemsOf(choice)) stems.add(word);
  }
  return stems;
}

function isKnown(word: Word, choices: PromptChoices): boolean {
  return vocabulary(choices).has(word.stem);
}

/** Reads a long word with one slip in it as the word it was meant to be, when only one meaning is that near. */
function corrected(words: Word[], choices: PromptChoices): Word[] {
  const known = vocabulary(choices);
  return words.map((word) => {
    if (word.filler || word.stem.length < 6 || known.has(word.stem)) return word;
    const near = [...known].filter((other) => other[0] === word.stem[0] && oneSlipApart(word.stem, other));
    const meanings = new Set(near.map(meaning));
    return meanings.size === 1 ? { ...word, stem: near[0]! } : word;
  });
}

/** The concepts a word stands for; a word of the catalog alone stands for itself. */
function meaning(wordStem: string): string {
  const names = tables.flatMap((table) =>
    phrasesOf(table)
      .filter(({ stems }) => stems.length === 1 && stems[0] === wordStem)
      .map(({ name }) => name),
  );
  return names.join(' ') || wordStem;
}
