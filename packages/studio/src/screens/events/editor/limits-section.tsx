import { type FieldPath, useFormContext } from 'react-hook-form';
import { TextField } from '../../../ui/text-field.tsx';
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
    label: 'Budget in credits',
    hint: 'For all pictures of the event. Credits of failed ones are returned.',
    placeholder: 'No limit',
    least: 0,
    most: 1_000_000_000,
  },
  {
    name: 'pictures',
    label: 'Pictures per guest',
    hint: 'Those that were made.',
    placeholder: 'No limit',
    least: 1,
    most: 1000,
  },
  {
    name: 'tries',
    label: 'Tries per guest',
    hint: 'Failed ones count too.',
    placeholder: 'No limit',
    least: 1,
    most: 1000,
  },
  {
    name: 'hours',
    label: 'Hours that pictures stay',
    hint: 'Then they are deleted.',
    placeholder: 'Server default',
    least: 1,
    most: 8784,
  },
];

/** What an evening may cost, what one guest may have, for how long it is kept, and who is told. */
export function LimitsSection() {
  const { register, formState } = useFormContext<EventFields>();
  return (
    <FormSection
      title="Limits and messages"
      text="Leave a field empty to use the limits of the account and the server."
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
                `A whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}, or empty.`,
            })}
          />
        ))}
      </div>
      <TextField
        label="Webhook address"
        hint="Your server is told when a picture is ready and when less than a tenth of the budget is left."
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
