import { lights, lookWords, palettes, places, wardrobe, weathers } from './prompt-concepts.ts';
import { stem, type Word } from './prompt-words.ts';

/** Concepts, each with the words and phrases that mean it, parted by commas. */
export type ConceptTable<Name extends string = string> = Readonly<Record<Name, string>>;

export const conceptTables: readonly ConceptTable[] = [
  lights,
  weathers,
  palettes,
  lookWords,
  places,
  wardrobe,
];

/** A concept that a prompt names, and the words it does it with. */
export interface Meeting<Name extends string = string> {
  name: Name;
  words: Word[];
  /** Where in the prompt. */
  at: number;
}

export interface Phrase<Name extends string = string> {
  name: Name;
  stems: string[];
}

const read = new WeakMap<ConceptTable, Phrase[]>();

/** A table's phrases, longest first. */
export function phrasesOf<Name extends string>(table: ConceptTable<Name>): Phrase<Name>[] {
  let phrases = read.get(table);
  if (!phrases) {
    phrases = Object.entries<string>(table).flatMap(([name, list]) =>
      list.split(',').map((phrase) => ({ name, stems: phrase.trim().split(/\s+/).map(stem) })),
    );
    phrases.sort((one, other) => other.stems.length - one.stems.length);
    read.set(table, phrases);
  }
  return phrases as Phrase<Name>[];
}

/** Every concept of a table that the prompt names; a longer phrase takes its words away from shorter ones. */
export function findConcepts<Name extends string>(
  words: readonly Word[],
  table: ConceptTable<Name>,
): Meeting<Name>[] {
  const takenBy = new Map<Word, number>();
  const meetings: Meeting<Name>[] = [];
  for (const { name, stems } of phrasesOf(table)) {
    for (let at = 0; at + stems.length <= words.length; at++) {
      const met = words.slice(at, at + stems.length);
      if (!met.every((word, k) => word.stem === stems[k])) continue;
      if (met.some((word) => (takenBy.get(word) ?? 0) > stems.length)) continue;
      for (const word of met) takenBy.set(word, stems.length);
      meetings.push({ name, words: met, at });
    }
  }
  return meetings;
}

/** The one concept to follow: the longest phrase, then the one said first; never a denied one. */
export function settle<Name extends string>(meetings: readonly Meeting<Name>[]): Meeting<Name> | null {
  const wanted = meetings.filter(({ words }) => words.every((word) => !word.negated));
  wanted.sort((one, other) => other.words.length - one.words.length || one.at - other.at);
  const [first] = wanted;
  if (!first) return null;
  // Everything else that says the same was followed too: "an oil painting like van Gogh".
  const same = wanted.filter(({ name }) => name === first.name).sort((one, other) => one.at - other.at);
  return { ...first, words: [...new Set(same.flatMap(({ words }) => words))] };
}
