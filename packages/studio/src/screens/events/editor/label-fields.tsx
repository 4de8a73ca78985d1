import { useFormContext } from 'react-hook-form';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import type { EventFields } from './event-fields.ts';
import { languageName } from './language-names.ts';

interface LabelFieldsProps {
  path:
    | `${'offers' | 'questions' | 'details'}.${number}.labels`
    | `details.${number}.choices.${number}.labels`;
  /** What the labels are of. */
  what: string;
}

/** A label in each language. The first language needs one: it stands in where another has none. */
export function LabelFields({ path, what }: LabelFieldsProps) {
  const { register, watch, getFieldState, formState } = useFormContext<EventFields>();
  const languages = watch('languages');
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(14rem,100%),1fr))] gap-3">
      {languages.map((language, at) => (
        <TextField
          key={language}
          label={languages.length > 1 ? `${what} (${languageName(language)})` : what}
          lang={language}
          maxLength={120}
          autoComplete="off"
          error={getFieldState(`${path}.${language}`, formState).error?.message}
          {...register(`${path}.${language}`, {
            validate: (label) => at > 0 || (label ?? '').trim() !== '' || say('Enter a text for guests.'),
          })}
        />
      ))}
    </div>
  );
}
