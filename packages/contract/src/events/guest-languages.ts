/**
 * The languages that guests are spoken to in, on every page of an event and in what is sent to them. An event may write
 * its own texts in others, which then stand beside English ones.
 */
export const guestLanguages = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'tr', 'ja', 'ar'] as const;
export type GuestLanguage = (typeof guestLanguages)[number];

/** The one for a tag: `de-AT` is spoken to in German. Undefined where there is none. */
export function guestLanguageOf(tag: string): GuestLanguage | undefined {
  const [base] = tag.toLowerCase().split('-');
  return guestLanguages.find((language) => language === base);
}

/** Which way a language is written. */
export function directionOf(tag: string): 'ltr' | 'rtl' {
  return guestLanguageOf(tag) === 'ar' ? 'rtl' : 'ltr';
}
