import { guestLanguages } from '@guise/contract/events/guest-languages.ts';
import { CompactSelect } from '../../../ui/compact-select.tsx';
import { say } from '../../../words/say.ts';
import { languageName } from './language-names.ts';

interface AddLanguageProps {
  taken: readonly string[];
  onAdd(language: string): void;
}

/** One more of the languages that the booth speaks; the interface takes every tag. */
export function AddLanguage({ taken, onAdd }: AddLanguageProps) {
  const left = guestLanguages
    .filter((language) => !taken.includes(language))
    .map((value) => ({ value, label: languageName(value) }));
  return (
    <CompactSelect
      label={say('Add a language')}
      value=""
      options={[{ value: '', label: say('Add a language') }, ...left]}
      onChange={(language) => language && onAdd(language)}
    />
  );
}
