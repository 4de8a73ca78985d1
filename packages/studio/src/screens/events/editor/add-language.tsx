import { CompactSelect } from '../../../ui/compact-select.tsx';
import { commonLanguages, languageName } from './language-names.ts';

interface AddLanguageProps {
  taken: readonly string[];
  onAdd(language: string): void;
}

/** One more language. */
export function AddLanguage({ taken, onAdd }: AddLanguageProps) {
  const left = commonLanguages
    .filter((language) => !taken.includes(language))
    .map((value) => ({ value, label: languageName(value) }));
  return (
    <CompactSelect
      label="Add a language"
      value=""
      options={[{ value: '', label: 'Add a language' }, ...left]}
      onChange={(language) => language && onAdd(language)}
    />
  );
}
