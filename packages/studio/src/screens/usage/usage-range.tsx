import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import { daysOf, dayText, spans, type UsageSearch } from './usage-search.ts';

const options = [
  ...spans.map((days) => ({ value: String(days), label: say('{count} days', { count: days }) })),
  { value: 'own', label: say('Custom dates') },
];

interface UsageRangeProps {
  search: UsageSearch;
  onChange(search: UsageSearch): void;
}

/** Which days are shown. */
export function UsageRange({ search, onChange }: UsageRangeProps) {
  const { from, to } = search;
  const today = dayText(Date.now());
  const choose = (value: string) => {
    const days = spans.find((span) => String(span) === value);
    if (days !== undefined) return onChange({ days });
    const { first, last } = daysOf(search, Date.now());
    onChange({ from: first, to: last });
  };
  return (
    <>
      <Segmented
        label={say('Days')}
        value={from && to ? 'own' : String(search.days ?? 30)}
        options={options}
        onChange={choose}
      />
      {from && to && (
        <span className="flex gap-2">
          <DayInput
            label={say('First day')}
            value={from}
            max={to}
            onChange={(day) => onChange({ from: day, to })}
          />
          <DayInput
            label={say('Last day')}
            value={to}
            min={from}
            max={today}
            onChange={(day) => onChange({ from, to: day })}
          />
        </span>
      )}
    </>
  );
}

interface DayInputProps {
  label: string;
  value: string;
  min?: string;
  max: string;
  onChange(day: string): void;
}

function DayInput({ label, onChange, ...props }: DayInputProps) {
  return (
    <input
      type="date"
      aria-label={label}
      {...props}
      onChange={(event) => event.target.validity.valid && event.target.value && onChange(event.target.value)}
      className="min-h-9 rounded-card border bg-ground px-2 text-small"
    />
  );
}
