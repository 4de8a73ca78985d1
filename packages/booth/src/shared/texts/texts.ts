import {
  directionOf,
  type GuestLanguage,
  guestLanguageOf,
  guestLanguages,
} from '@guise/contract/events/guest-languages.ts';
import { createContext, useContext } from 'react';
import { en, type Texts } from './en.ts';

/** A phone loads the language that it speaks; a booth loads all. */
const files: Readonly<Record<GuestLanguage, () => Promise<Texts>>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  it: async () => (await import('./it.ts')).it,
  pt: async () => (await import('./pt.ts')).pt,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  tr: async () => (await import('./tr.ts')).tr,
  ja: async () => (await import('./ja.ts')).ja,
  ar: async () => (await import('./ar.ts')).ar,
};

const loaded = new Map<GuestLanguage, Texts>([['en', en]]);

/** Loads the sentences of languages, before a page speaks them. One that cannot be loaded is spoken in English. */
export async function loadTexts(languages: readonly string[] = guestLanguages): Promise<void> {
  const known = languages.flatMap((language) => guestLanguageOf(language) ?? []);
  await Promise.all(
    known.map(async (language) => {
      const texts = await files[language]().catch(() => en);
      loaded.set(language, texts);
    }),
  );
}

/** Sentences in a language that was loaded, or in English: `de-AT` is spoken to in German. */
export function textsIn(language: string): Texts {
  const known = guestLanguageOf(language);
  return (known && loaded.get(known)) ?? en;
}

/** Tells the browser which language the page is in, and which way it is written. */
export function setPageLanguage(language: string): void {
  // Sentences in English are not those of a language that we do not speak.
  document.documentElement.lang = guestLanguageOf(language) ? language : 'en';
  document.documentElement.dir = directionOf(language);
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
