import { say } from '../../words/say.ts';

export type TryStep = 'photo' | 'filter' | 'result';

interface StepTabsProps {
  step: TryStep;
  onChange(step: TryStep): void;
  done: { photo: boolean; filter: boolean };
}

const steps: { step: TryStep; label: string }[] = [
  { step: 'photo', label: say('Photo') },
  { step: 'filter', label: say('Filter') },
  { step: 'result', label: say('Result') },
];

/** The three steps on a phone. */
export function StepTabs({ step, onChange }: StepTabsProps) {
  return (
    <div className="grid grid-cols-3 border-b md:hidden">
      {steps.map((entry, at) => (
        <button
          key={entry.step}
          type="button"
          aria-current={step === entry.step ? 'step' : undefined}
          onClick={() => onChange(entry.step)}
          className="min-h-11 border-b-2 border-transparent text-small text-ink-soft aria-[current=step]:border-accent aria-[current=step]:font-medium aria-[current=step]:text-ink"
        >
          {at + 1} {entry.label}
        </button>
      ))}
    </div>
  );
}
