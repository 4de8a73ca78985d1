import { useFormContext } from 'react-hook-form';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import type { EventFields } from './event-fields.ts';
import { FormSection } from './form-section.tsx';
import { languageName } from './language-names.ts';

/** What guests get who ask for their picture by mail. */
export function MailSection() {
  const { register, watch } = useFormContext<EventFields>();
  const [hasMail, languages] = watch(['hasMail', 'languages']);
  return (
    <FormSection
      title={say('Mail')}
      text={say(
        'Guests may enter an address on their page. It is used for this mail alone, and deleted with the picture.',
      )}
    >
      <label className="flex min-h-10 items-center gap-3">
        <input type="checkbox" className="size-4.5 shrink-0 accent-accent" {...register('hasMail')} />
        {say('Send pictures by mail')}
      </label>
      {hasMail && (
        <>
          {languages.map((language) => (
            <div key={language} className="flex flex-col gap-3">
              <TextField
                label={say('Subject ({language})', { language: languageName(language) })}
                lang={language}
                maxLength={200}
                hint={say('A language without a subject gets the mail of the first one that has.')}
                {...register(`mailTexts.${language}.subject`)}
              />
              <TextArea
                label={say('Text ({language})', { language: languageName(language) })}
                lang={language}
                maxLength={4000}
                hint={say('The link to the picture follows it.')}
                {...register(`mailTexts.${language}.text`)}
              />
            </div>
          ))}
          <label className="flex min-h-10 items-center gap-3">
            <input type="checkbox" className="size-4.5 shrink-0 accent-accent" {...register('mailAttach')} />
            {say('Attach the picture')}
          </label>
        </>
      )}
    </FormSection>
  );
}
