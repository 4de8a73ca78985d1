import type { PromptSuggestion } from '@guise/contract/filter-options.ts';
import {
  lights,
  lookWords,
  palettes,
  places,
  wardrobe,
  weathers,
} from '@guise/engine/prompt/prompt-concepts.ts';
import { findConcepts, phrasesOf } from '@guise/engine/prompt/prompt-phrases.ts';
import { readWords } from '@guise/engine/prompt/prompt-words.ts';
import { once } from '@guise/engine/runtime/once.ts';
import type { Option, Options } from './filter-options.ts';

/** Completes the text of a prompt with words that the local engine understands. */
export type SuggestWords = (text: string, limit: number) => Promise<PromptSuggestion[]>;

type Table = Readonly<Record<string, string>>;

/** The phrases are gathered on first use, in 20 ms. */
export function createPromptSuggestions(readOptions: () => Promise<Options>): SuggestWords {
  const known = once(async () => phrasesFor(await readOptions()));
  return async (text, limit) => complete(await known(), text, limit);
}

/** Every phrase once. Titles of scenes and costumes come first, then the first phrase of every concept. */
function phrasesFor({ scenes, costumes, looks }: Options): PromptSuggestion[] {
  const lookNames = looks.map(({ name }) => name);
  const tables: PromptSuggestion[][] = [
    ...phrasesIn('light', lights),
    ...phrasesIn('weather', weathers),
    ...phrasesIn('look', lookWords).filter(([first]) => lookNames.includes(first!.value!)),
    ...phrasesIn('palette', palettes),
    ...phrasesLeadingTo('scene', places, scenes),
    ...phrasesLeadingTo('costume', wardrobe, costumes),
  ];
  const all = [
    ...scenes.map(({ title, name }) => ({ text: title.toLowerCase(), kind: 'scene' as const, value: name })),
    ...costumes.map(({ title, name }) => ({
      text: title.toLowerCase(),
      kind: 'costume' as const,
      value: name,
    })),
    ...tables.flatMap((phrases) => phrases.slice(0, 1)),
    ...tables.flatMap((phrases) => phrases.slice(1)),
  ];
  return [...new Map([...all].reverse().map((phrase) => [phrase.text, phrase])).values()].reverse();
}

/** The phrases of a table, concept by concept. */
function phrasesIn(kind: PromptSuggestion['kind'], table: Table): PromptSuggestion[][] {
  return Object.entries(table).map(([value, phrases]) =>
    phrases.split(', ').map((text) => ({ text, kind, value })),
  );
}

/** Those of concepts that scenes or costumes of this server have. Where several have one, the whole prompt decides. */
function phrasesLeadingTo(
  kind: 'scene' | 'costume',
  table: Table,
  options: readonly Option[],
): PromptSuggestion[][] {
  const topics = phrasesOf(table);
  const conceptsOf = ({ name, title, tags }: Option) =>
    [name.replaceAll('-', ' '), title, ...tags].flatMap((text) =>
      findConcepts(readWords(text), topics).map((mention) => mention.name),
    );
  const owners = options.map((option) => ({ name: option.name, concepts: new Set(conceptsOf(option)) }));
  return phrasesIn(kind, table).flatMap((phrases) => {
    const having = owners.filter(({ concepts }) => concepts.has(phrases[0]!.value!));
    const value = having.length === 1 ? having[0]!.name : null;
    return having.length === 0 ? [] : [phrases.map((phrase) => ({ ...phrase, value }))];
  });
}

/** Phrases that begin with the last three words of the text, then those that begin with the last two, then the last. */
function complete(known: readonly PromptSuggestion[], text: string, limit: number): PromptSuggestion[] {
  const words = text.toLowerCase().split(/[\s,.;]+/);
  const starts = [3, 2, 1]
    .filter((count) => count <= words.length)
    .map((count) => words.slice(-count).join(' ').trimStart());
  const found = starts.flatMap((start) => known.filter((phrase) => phrase.text.startsWith(start)));
  return [...new Set(found)].slice(0, limit);
}
