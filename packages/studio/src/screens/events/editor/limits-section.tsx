import { type FieldPath, useFormContext } from 'react-hook-form';
import { TextField } from '../../../ui/text-field.tsx';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';
import type { EventFields } from './event-fields.ts';
import { FormSection } from './form-section.tsx';

type LimitField = Extract<FieldPath<EventFields>, 'budget' | 'pictures' | 'tries' | 'hours'>;

const limits: {
  name: LimitField;
  label: string;
  hint: string;
  placeholder: string;
  least: number;
  most: number;
}[] = [
  {
    name: 'budget',
    label: say('Budget in credits'),
    hint: say('For all pictures of the event. Credits of failed ones are returned.'),
    placeholder: say('No limit'),
    least: 0,
    most: 1_000_000_000,
  },
  {
    name: 'pictures',
    label: say('Pictures per guest'),
    hint: say('Those that were made.'),
    placeholder: say('No limit'),
    least: 1,
    most: 1000,
  },
  {
    name: 'tries',
    label: say('Tries per guest'),
    hint: say('Failed ones count too.'),
    placeholder: say('No limit'),
    least: 1,
    most: 1000,
  },
  {
    name: 'hours',
    label: say('Hours that pictures stay'),
    hint: say('Then they are deleted.'),
    placeholder: say('Server default'),
    least: 1,
    most: 8784,
  },
];

/** What an evening may cost, what one guest may have, for how long it is kept, and who is told. */
export function LimitsSection() {
  const { register, formState } = useFormContext<EventFields>();
  return (
    <FormSection
      title={say('Limits and messages')}
      text={say('Leave a field empty to use the limits of the account and the server.')}
    >
      <div className="grid grid-cols-4 gap-4 max-xl:grid-cols-2 max-sm:grid-cols-1">
        {limits.map(({ name, label, hint, placeholder, least, most }) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            placeholder={placeholder}
            inputMode="numeric"
            autoComplete="off"
            error={formState.errors[name]?.message}
            {...register(name, {
              validate: (text) =>
                text.trim() === '' ||
                (/^\d+$/.test(text.trim()) && Number(text) >= least && Number(text) <= most) ||
                say('A whole number from {least} to {most}, or empty.', {
                  least: numberText(least),
                  most: numberText(most),
                }),
            })}
          />
        ))}
      </div>
      <TextField
        label={say('Webhook address')}
        hint={say(
          'Your server is told when a picture is ready and when less than a tenth of the budget is left.',
        )}
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        maxLength={2048}
        error={formState.errors.webhookUrl?.message}
        {...register('webhookUrl')}
      />
    </FormSection>
  );
}
