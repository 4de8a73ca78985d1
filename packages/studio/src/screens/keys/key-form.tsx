import type { UseFormReturn } from 'react-hook-form';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { say } from '../../words/say.ts';
import { expiryChoices, type KeyExpiry, readExpiry } from './key-expiry.ts';

export interface KeyFields extends KeyExpiry {
  name: string;
  /** Credits; empty for no limit. */
  budget: string;
}

/** Name, budget and expiry, for a new key and for one that is changed. */
export function KeyForm<Fields extends KeyFields>({ form }: { form: UseFormReturn<Fields> }) {
  // The fields of every form that is given here, whatever else it has.
  const { register, watch, formState } = form as unknown as UseFormReturn<KeyFields>;
  const { errors } = formState;
  return (
    <>
      <TextField
        label={say('Name')}
        placeholder={say('Booth at the entrance')}
        autoComplete="off"
        maxLength={100}
        error={errors.name?.message}
        {...register('name', { validate: (name) => name.trim() !== '' || say('Give it a name.') })}
      />
      <TextField
        label={say('Budget in credits')}
        inputMode="numeric"
        autoComplete="off"
        placeholder={say('No limit')}
        hint={say('When the budget is spent, this key can submit no more jobs. Leave empty for no limit.')}
        error={errors.budget?.message}
        {...register('budget', {
          validate: (budget) =>
            /^\d{0,9}$/.test(budget.trim()) || say('Enter a whole number of credits, or leave it empty.'),
        })}
      />
      <div className="grid grid-cols-2 gap-3 max-sm:grid-cols-1">
        <SelectField label={say('Expires')} options={expiryChoices} {...register('choice')} />
        {watch('choice') === 'date' && (
          <TextField
            label={say('Time')}
            type="datetime-local"
            error={errors.date?.message}
            {...register('date', {
              validate: (date, { choice }) =>
                choice !== 'date' ||
                readExpiry({ choice, date }) !== undefined ||
                say('Choose a day and a time.'),
            })}
          />
        )}
      </div>
    </>
  );
}

export const readBudget = (text: string): number | null => (text.trim() === '' ? null : Number(text));
