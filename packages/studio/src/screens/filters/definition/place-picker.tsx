import type { Place } from '@guise/contract/workflow.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { say } from '../../../words/say.ts';

export interface PlaceOption {
  place: Place;
  label: string;
}

interface PlacePickerProps {
  label: string;
  hint?: string;
  options: PlaceOption[];
  /** What is bound now. A place may carry more than a node and an input: that stays while it is not replaced. */
  places: Place[];
  /** How many places there may be. */
  most?: number;
  onChange(places: Place[]): void;
}

const keyOf = ({ node, input }: Place) => JSON.stringify([node, input]);

/** One input of the workflow for each place, and an empty one for the next. */
export function PlacePicker({ label, hint, options, places, most = 1, onChange }: PlacePickerProps) {
  const rows = Math.max(places.length, Math.min(most, places.length + 1));
  const choose = (at: number, key: string) => {
    const found = options.find(({ place }) => keyOf(place) === key);
    onChange(
      found
        ? [...places.slice(0, at), found.place, ...places.slice(at + 1)]
        : places.filter((_, other) => other !== at),
    );
  };
  return (
    <div className="flex flex-col gap-2">
      {Array.from({ length: rows }, (_, at) => (
        <SelectField
          // biome-ignore lint/suspicious/noArrayIndexKey: a place is known by where it stands
          key={at}
          label={at === 0 ? label : say('{label}, number {number}', { label, number: at + 1 })}
          {...(at === 0 && hint !== undefined && { hint })}
          value={places[at] ? keyOf(places[at]) : ''}
          options={[
            { value: '', label: say('Not used') },
            ...options.map((option) => ({ value: keyOf(option.place), label: option.label })),
          ]}
          onChange={(event) => choose(at, event.target.value)}
        />
      ))}
    </div>
  );
}
