import { createContext, useContext } from 'react';
import { de } from './de.ts';
import { en, type Texts } from './en.ts';

const languages: Readonly<Record<string, Texts>> = { en, de };

/** Sentences in a language, or in English where there are none: `de-AT` is spoken to in German. */
export function textsIn(language: string): Texts {
  return languages[language] ?? languages[language.split('-')[0]!] ?? en;
}

export interface Spoken {
  language: string;
  texts: Texts;
}
export const SpokenContext = createContext<Spoken>({ language: 'en', texts: en });
export const useTexts = (): Texts => useContext(SpokenContext).texts;
export const useLanguage = (): string => useContext(SpokenContext).language;

/** What an event wrote by language: in this one, in its relatives, or in the first that it has. */
export function inLanguage<T>(entries: Readonly<Record<string, T>>, language: string): T | undefined {
  const [base] = language.split('-');
  const relative = Object.keys(entries).find((name) => name.split('-')[0] === base) ?? 'en';
  return entries[language] ?? entries[relative] ?? Object.values(entries)[0];
}

/** The language of the browser among those of an event; without it, the first of the event. */
export function firstLanguage(offered: readonly string[], wanted: readonly string[]): string {
  const bases = wanted.map((name) => name.split('-')[0]);
  return (
    wanted.find((name) => offered.includes(name)) ??
    offered.find((name) => bases.includes(name.split('-')[0])) ??
    offered[0] ??
    'en'
  );
}
