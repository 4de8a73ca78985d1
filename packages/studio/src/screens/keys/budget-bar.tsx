import { Meter } from '@base-ui/react/meter';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';

/** What a key has spent, and how much of its budget that is. */
export function BudgetBar({ spent, budget }: { spent: number; budget: number | null }) {
  if (budget === null)
    return (
      <p className="text-small text-ink-soft">
        {spent === 1 ? say('1 credit spent') : say('{count} credits spent', { count: numberText(spent) })}
      </p>
    );
  const isSpent = spent >= budget;
  const text = say('{spent} of {budget} credits', { spent: numberText(spent), budget: numberText(budget) });
  return (
    <Meter.Root value={Math.min(spent, budget)} max={Math.max(budget, 1)} aria-valuetext={text}>
      <Meter.Label className={`mb-1.5 block text-small ${isSpent ? 'text-lost' : 'text-ink-soft'}`}>
        {text}
      </Meter.Label>
      <Meter.Track className="h-0.75 overflow-hidden rounded-full bg-line">
        <Meter.Indicator className={`h-full ${isSpent ? 'bg-lost' : 'bg-ink-soft'}`} />
      </Meter.Track>
    </Meter.Root>
  );
}
