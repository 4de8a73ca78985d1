/** The languages of the studio. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

const keptAs = 'guise-studio-language';
const isLanguage = (value: string): value is Language => Object.hasOwn(languages, value);

/** What was chosen on this device, else the first language of the browser that the studio has. */
export const language: Language = readChosen() ?? browserLanguages().map(shortOf).find(isLanguage) ?? 'en';

/** How dates and numbers are written: in the language's form of the browser's country. */
export const locale: string = browserLanguages().find((one) => shortOf(one) === language) ?? language;

/** Words are read once: the page begins anew. */
export function changeLanguage(next: Language): void {
  localStorage.setItem(keptAs, next);
  location.reload();
}

/** With so many decimals, or as many as it has. */
export const numberText = (value: number, decimals?: number): string =>
  value.toLocaleString(
    locale,
    decimals === undefined ? {} : { minimumFractionDigits: decimals, maximumFractionDigits: decimals },
  );

function readChosen(): Language | undefined {
  const chosen = 'localStorage' in globalThis ? (localStorage.getItem(keptAs) ?? '') : '';
  return isLanguage(chosen) ? chosen : undefined;
}

function browserLanguages(): readonly string[] {
  return 'navigator' in globalThis ? (navigator.languages ?? []) : [];
}

function shortOf(tag: string): string {
  return tag.split('-')[0]!.toLowerCase();
}
