import { useFormContext } from 'react-hook-form';
import { SelectField } from '../../../../ui/select-field.tsx';
import { say } from '../../../../words/say.ts';
import type { EventFields } from '../event-fields.ts';

const seconds = ['2', '3', '4', '5', '6'].map((value) => ({ value, label: `${value} s` }));
const loops = [
  { value: 'ping_pong', label: say('There and back') },
  { value: 'forward', label: say('Forward') },
];

/** How long one round of an offered living portrait is, and how it goes on. */
export function LoopFields({ at }: { at: number }) {
  const { register } = useFormContext<EventFields>();
  return (
    <div className="flex flex-wrap gap-3">
      <SelectField label={say('Length')} options={seconds} {...register(`offers.${at}.seconds`)} />
      <SelectField label={say('Loop')} options={loops} {...register(`offers.${at}.loop`)} />
    </div>
  );
}
