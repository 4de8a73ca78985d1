import { X } from 'lucide-react';
import { useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { IconButton } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import { AddLanguage } from './add-language.tsx';
import { type EventFields, noTexts } from './event-fields.ts';
import { FormSection } from './form-section.tsx';
import { languageName } from './language-names.ts';

const texts = [
  { name: 'welcome', label: say('Welcome'), rows: 2, hint: say('On the booth’s first screen.') },
  {
    name: 'consent',
    label: say('Consent'),
    rows: 4,
    hint: say(
      'What guests agree to. Where it is written, no photo is taken without it, and each edit makes a new version.',
    ),
  },
  {
    name: 'thanks',
    label: say('Thanks'),
    rows: 2,
    hint: say('On the booth’s last screen and the guest’s page.'),
  },
] as const;

/** What guests read, one language after another. */
export function TextsSection() {
  const { register, setValue, watch, formState } = useFormContext<EventFields>();
  const languages = watch('languages');
  const [chosen, setChosen] = useState(languages[0] ?? 'en');
  const shown = languages.includes(chosen) ? chosen : (languages[0] ?? 'en');
  const add = (language: string) => {
    // A language that was taken out comes back with its texts.
    if (!watch(`texts.${language}`)) setValue(`texts.${language}`, noTexts);
    if (!languages.includes(language)) setValue('languages', [...languages, language], { shouldDirty: true });
    setChosen(language);
  };
  const remove = () =>
    setValue(
      'languages',
      languages.filter((language) => language !== shown),
      { shouldDirty: true },
    );
  const errors = formState.errors.texts?.[shown];
  return (
    <FormSection
      title={say('Texts')}
      text={say('Guests choose among these languages. Offers and questions have a label in each.')}
    >
      <div className="flex flex-wrap items-center gap-2">
        <Segmented
          label={say('Language')}
          value={shown}
          options={languages.map((value) => ({ value, label: languageName(value) }))}
          onChange={setChosen}
          className="max-w-full flex-wrap"
        />
        {languages.length > 1 && (
          <IconButton label={say('Remove {name}', { name: languageName(shown) })} onClick={remove}>
            <X size={17} aria-hidden />
          </IconButton>
        )}
        <AddLanguage taken={languages} onAdd={add} />
      </div>
      {texts.map(({ name, label, rows, hint }) => (
        <TextArea
          key={`${shown} ${name}`}
          label={`${label} (${languageName(shown)})`}
          lang={shown}
          rows={rows}
          hint={hint}
          maxLength={4000}
          error={errors?.[name]?.message}
          {...register(`texts.${shown}.${name}`)}
        />
      ))}
    </FormSection>
  );
}
