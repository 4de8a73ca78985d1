import { createElement, Fragment, type ReactNode } from 'react';
import type { German } from './german/german.ts';
import { language } from './language.ts';

/** Texts of the studio in English, by which those of other languages are found. */
export type Words = keyof German;

/** The names of the places in a text: `file` and `count` of "{file}, {count} times". */
type Places<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Places<Rest>
  : never;
type Filling<T extends string, V> = [Places<T>] extends [never] ? [] : [Record<Places<T>, V>];

// A module that imports this one runs when the words are there: its constants may have some.
const table: Partial<Record<string, string>> =
  language === 'de' ? (await import('./german/german.ts')).german : {};

/** A text in the language of the studio, with values in its places. */
export function say<const T extends Words>(words: T, ...[values]: Filling<T, string | number>): string {
  return partsOf(words)
    .map((part, i) => (i % 2 === 0 ? part : String(fillingOf(values, part))))
    .join('');
}

/** The same with elements in its places. */
export function sayParts<const T extends Words>(words: T, values: Record<Places<T>, ReactNode>): ReactNode {
  return partsOf(words).map((part, i) =>
    createElement(Fragment, { key: i }, i % 2 === 0 ? part : fillingOf(values, part)),
  );
}

/** Text and names of places by turns. */
function partsOf(words: string): string[] {
  return (table[words] ?? words).split(/\{(\w+)\}/);
}

function fillingOf<V>(values: Partial<Record<string, V>> | undefined, name: string): V | undefined {
  return values?.[name];
}
