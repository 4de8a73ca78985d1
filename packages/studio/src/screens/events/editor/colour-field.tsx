import { useFormContext } from 'react-hook-form';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import type { EventFields } from './event-fields.ts';

interface ColourFieldProps {
  name: 'background' | 'text' | 'accent';
  label: string;
  /** What its picker says. */
  pick: string;
}

/** A colour, picked or typed; empty for the booth’s own. */
export function ColourField({ name, label, pick }: ColourFieldProps) {
  const { register, setValue, watch, formState } = useFormContext<EventFields>();
  const value = watch(name);
  return (
    <div className="flex items-start gap-2">
      <input
        type="color"
        aria-label={pick}
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#808080'}
        onChange={(event) => setValue(name, event.target.value, { shouldDirty: true, shouldValidate: true })}
        className="mt-[1.4rem] h-10 w-11 shrink-0 cursor-pointer rounded-card border bg-raised p-1"
      />
      <div className="min-w-0 flex-1">
        <TextField
          label={label}
          placeholder={say('Booth default')}
          autoComplete="off"
          spellCheck={false}
          maxLength={7}
          error={formState.errors[name]?.message}
          {...register(name, {
            validate: (colour) =>
              colour === '' || /^#[0-9a-f]{6}$/i.test(colour) || say('Enter a colour such as #1a2b3c.'),
          })}
        />
      </div>
    </div>
  );
}
