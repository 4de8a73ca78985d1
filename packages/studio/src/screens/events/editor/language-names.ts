import { language } from '../../../words/language.ts';

/** "German" for `de` in English, or the tag itself. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
