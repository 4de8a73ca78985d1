import type { Word } from './prompt-words.ts';

/** A part of a prompt that may mean something: its words, of which at least one is still unread. */
export interface Span {
  words: Word[];
  text: string;
}

/** Words that begin a new phrase. */
const openers = new Set(
  `in on at under with by near during over inside behind through and as like from while after before among amid above
  between into onto around across beneath below beside along where when against outside aboard towards toward`.split(
    /\s+/,
  ),
);

/** How many phrases in a row are looked at together, and how many of a prompt at all. */
const longestRun = 4;
const mostPhrases = 48;

/** Every phrase of a prompt, phrases in a row, and each sentence; without denied words and words that are followed. */
export function spansOf(words: readonly Word[], isUnread: (word: Word) => boolean): Span[] {
  const phrases = phrasesIn(words.filter((word) => !word.negated && (word.filler || isUnread(word))));
  const spans = new Map<string, Span>();
  const addRun = (run: readonly Word[][]) => {
    const all = trimFillers(run.flat());
    const text = all.map((word) => word.text).join(' ');
    const unread = all.filter((word) => !word.filler);
    if (unread.length > 0 && !spans.has(text)) spans.set(text, { words: unread, text });
  };
  for (const [from] of phrases.entries()) {
    for (let count = 1; count <= longestRun && from + count <= phrases.length; count++) {
      addRun(phrases.slice(from, from + count));
    }
  }
  for (const clause of Map.groupBy(phrases, ([first]) => first!.clause).values()) addRun(clause);
  addRun(phrases);
  return [...spans.values()];
}

/** What is denied, run by run. */
export function deniedSpans(words: readonly Word[]): Span[] {
  const runs: Word[][] = [];
  for (const [i, word] of words.entries()) {
    if (!word.negated) continue;
    if (i > 0 && words[i - 1]!.negated && words[i - 1]!.clause === word.clause) runs.at(-1)!.push(word);
    else runs.push([word]);
  }
  return runs
    .map((run) => ({
      words: run.filter((word) => !word.filler),
      text: run.map(({ text }) => text).join(' '),
    }))
    .filter(({ words: content }) => content.length > 0);
}

function phrasesIn(words: readonly Word[]): Word[][] {
  const phrases: Word[][] = [];
  for (const word of words) {
    const last = phrases.at(-1);
    const opens = openers.has(word.text) && last?.some((each) => !each.filler);
    if (last && !opens && last[0]!.clause === word.clause) last.push(word);
    else phrases.push([word]);
  }
  return phrases.slice(0, mostPhrases);
}

/** Fillers at the ends say nothing, but for those that say what is worn or painted. */
const telling = new Set('as like dressed wearing drawn painted style'.split(' '));

function trimFillers(words: readonly Word[]): Word[] {
  const tells = (word: Word) => !word.filler || telling.has(word.text);
  const first = words.findIndex(tells);
  return words.slice(first, words.findLastIndex(tells) + 1);
}
