import type { Note, Notes } from '@guise/contract/notes.ts';
import { type PromptKind, promptKinds } from './prompt-choice.ts';
import type { lights, palettes, weathers } from './prompt-concepts.ts';
import { textOf, type Word } from './prompt-words.ts';

export type Light = keyof typeof lights;
export type Weather = keyof typeof weathers;
export type Palette = keyof typeof palettes;

/** `applied` is what of the prompt is followed, `ignored` the words for what the picture does not have. */
export interface PromptReading extends Notes {
  scene: string | null;
  costume: string | null;
  look: string | null;
  light: Light | null;
  weather: Weather | null;
  palette: Palette | null;
}

/** Something of the catalog that words of a prompt lead to. */
export interface LedTo {
  kind: PromptKind;
  name: string;
  title: string;
  words: readonly Word[];
}

/** Something that a prompt asks for, and the words it does it with. */
export interface Followed extends LedTo {
  /** Those of the words that name what the picture then has. */
  shown: readonly Word[];
  reason?: string;
}

/** A prompt's words, and what they ask for so far. */
export interface WordReading {
  words: readonly Word[];
  followed: readonly Followed[];
  /** What is nearest to words for something that the catalog lacks; the picture does not have it. */
  offered: readonly LedTo[];
  /** Words for what is not wanted. */
  denied: readonly Word[];
}

/** Words that ask for something and lead to nothing. */
export function unreadWords({ words, followed, denied }: WordReading): Word[] {
  const used = new Set([...denied, ...followed.flatMap(({ words: met }) => met)]);
  return words.filter((word) => !word.filler && !used.has(word));
}

/** Says what of a prompt is in the picture, what is not, and what of the catalog is nearest to that. */
export function noteReading(read: WordReading): PromptReading {
  const { followed, denied } = read;
  const inOrder = promptKinds.flatMap((kind) => followed.filter((one) => one.kind === kind));
  const names = Object.fromEntries(followed.map(({ kind, name }) => [kind, name]));
  const nothing = { scene: null, costume: null, look: null, light: null, weather: null, palette: null };
  return {
    ...nothing,
    ...(names as Partial<PromptReading>),
    applied: [
      ...inOrder
        .filter((one) => !standsIn(one))
        .map(({ kind, title, shown, reason }) => ({
          ...{ kind, value: title, words: textOf(shown) },
          ...(reason === undefined ? {} : { reason }),
        })),
      ...denied.map((word) => ({ kind: 'denied' as const, value: word.text })),
    ],
    ignored: noteLacking(read),
  };
}

/** Whether the picture has it in place of what the words name. */
const standsIn = ({ shown }: Followed): boolean => shown.length === 0;

/** Words for what the picture does not have, those that lead to one thing together. */
function noteLacking({ words, followed, offered, denied }: WordReading): Note[] {
  const shown = new Set([...denied, ...followed.flatMap((one) => one.shown)]);
  const lacking = words.filter((word) => !word.filler && !shown.has(word));
  const near = [
    ...followed.filter(standsIn).map((one) => ({ ...one, taken: true })),
    ...offered.map((one) => ({ ...one, taken: false })),
  ];
  // A word that leads to nothing belongs to the words around it: in "Paris, Eiffel tower" only two are known.
  const leads = (word: Word) => near.find((one) => one.words.includes(word));
  const nearTo = (word: Word, at: number) => {
    const before = lacking.slice(0, at).map(leads).findLast(Boolean);
    const after = lacking.slice(at).map(leads).find(Boolean);
    return leads(word) ?? (before === after ? before : undefined);
  };
  const groups = Map.groupBy(lacking, (word, at) => nearTo(word, at) ?? word.text);
  return [...groups].map(([group, own]) => {
    if (typeof group === 'string') return { kind: 'word', value: group };
    const { kind, title, taken } = group;
    return { kind: 'word', value: textOf(own), nearest: { kind, value: title, taken } };
  });
}
