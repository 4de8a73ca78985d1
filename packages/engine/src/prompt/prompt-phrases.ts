import { compounds, lights, lookWords, palettes, places, wardrobe, weathers } from './prompt-concepts.ts';
import { stem, type Word } from './prompt-words.ts';

/** Concepts, each with the words and phrases that mean it, parted by commas. */
export type ConceptTable<Name extends string = string> = Readonly<Record<Name, string>>;

/** A phrase of a table, as its words are compared. */
export interface Phrase<Name extends string = string> {
  name: Name;
  stems: string[];
}

/** A table's phrases, longest first. */
export function phrasesOf<Name extends string>(table: ConceptTable<Name>): readonly Phrase<Name>[] {
  return Object.entries<string>(table)
    .flatMap(([name, list]) =>
      list.split(',').map((phrase) => ({ name: name as Name, stems: phrase.trim().split(/\s+/).map(stem) })),
    )
    .sort((one, other) => other.stems.length - one.stems.length);
}

/** The phrases that prompts for pictures are read by. */
export const phrases = {
  lights: phrasesOf(lights),
  weathers: phrasesOf(weathers),
  palettes: phrasesOf(palettes),
  looks: phrasesOf(lookWords),
  places: phrasesOf(places),
  wardrobe: phrasesOf(wardrobe),
  compounds: phrasesOf({ compound: compounds }),
};
export const allPhrases: readonly Phrase[] = Object.values(phrases).flat();

/** A concept that a prompt names, and the words it does it with. */
export interface Mention<Name extends string = string> {
  name: Name;
  words: Word[];
  /** Where in the prompt. */
  at: number;
}

/** Every concept that the prompt names; a longer phrase takes its words away from shorter ones. */
export function findConcepts<Name extends string>(
  words: readonly Word[],
  known: readonly Phrase<Name>[],
): Mention<Name>[] {
  const takenBy = new Map<Word, number>();
  const mentions: Mention<Name>[] = [];
  for (const { name, stems } of known) {
    for (let at = 0; at + stems.length <= words.length; at++) {
      if (words[at]!.stem !== stems[0]) continue;
      const met = words.slice(at, at + stems.length);
      if (!met.every((word, k) => word.stem === stems[k])) continue;
      if (met.some((word) => (takenBy.get(word) ?? 0) > stems.length)) continue;
      for (const word of met) takenBy.set(word, stems.length);
      mentions.push({ name, words: met, at });
    }
  }
  return mentions;
}

/** The one concept to follow: the longest phrase, then the one said first; never a denied one. */
export function settle<Name extends string>(mentions: readonly Mention<Name>[]): Mention<Name> | null {
  const wanted = mentions.filter(({ words }) => words.every((word) => !word.negated));
  wanted.sort((one, other) => other.words.length - one.words.length || one.at - other.at);
  const [first] = wanted;
  if (!first) return null;
  // Everything else that says the same was followed too: "an oil painting like van Gogh".
  const same = wanted.filter(({ name }) => name === first.name).sort((one, other) => one.at - other.at);
  return { ...first, words: [...new Set(same.flatMap(({ words }) => words))] };
}
