import { useFormContext } from 'react-hook-form';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import type { EventFields } from './event-fields.ts';
import { FormSection } from './form-section.tsx';
import { isTimeZone, timeOfLocal } from './zoned-time.ts';

const dayMs = 24 * 3600_000;

/** What it is called, and when photos are taken. */
export function WhenSection() {
  const { register, formState } = useFormContext<EventFields>();
  const { errors } = formState;
  return (
    <FormSection title={say('Name and time')} text={say('Booths take photos between these times.')}>
      <TextField
        label={say('Name')}
        placeholder={say('Summer gala')}
        autoComplete="off"
        maxLength={120}
        error={errors.name?.message}
        {...register('name', { validate: (name) => name.trim() !== '' || say('Give it a name.') })}
      />
      <div className="grid grid-cols-3 gap-4 max-sm:grid-cols-1">
        <TextField
          label={say('Begins')}
          type="datetime-local"
          error={errors.begins?.message}
          {...register('begins', {
            validate: (begins, { zone }) =>
              timeOfLocal(begins, zone) !== undefined || say('Choose a day and a time.'),
          })}
        />
        <TextField
          label={say('Ends')}
          type="datetime-local"
          error={errors.ends?.message}
          {...register('ends', { validate: checkEnd })}
        />
        <TextField
          label={say('Time zone')}
          list="time-zones"
          autoComplete="off"
          error={errors.zone?.message}
          {...register('zone', {
            validate: (zone) => isTimeZone(zone) || say('Enter a time zone such as Europe/Berlin.'),
          })}
        />
        <datalist id="time-zones">
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
    </FormSection>
  );
}

function checkEnd(ends: string, { begins, zone }: EventFields): string | true {
  const [from, to] = [timeOfLocal(begins, zone), timeOfLocal(ends, zone)];
  if (to === undefined) return say('Choose a day and a time.');
  if (from === undefined) return true;
  if (to <= from) return say('The end must be after the beginning.');
  return to <= from + 366 * dayMs || say('An event lasts at most 366 days.');
}
