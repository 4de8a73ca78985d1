/** Languages that can be chosen in the form; the interface takes every tag. */
export const commonLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pl',
  'pt',
  'da',
  'sv',
  'cs',
  'tr',
  'uk',
  'ar',
  'ja',
  'zh',
];

/** "German" for `de`, or the tag itself. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
