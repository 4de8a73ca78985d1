import { Meter } from '@base-ui/react/meter';

/** What a key has spent, and how much of its budget that is. */
export function BudgetBar({ spent, budget }: { spent: number; budget: number | null }) {
  const format = (credits: number) => credits.toLocaleString('en');
  if (budget === null)
    return (
      <p className="text-small text-ink-soft">
        {format(spent)} {spent === 1 ? 'credit' : 'credits'} spent
      </p>
    );
  const isSpent = spent >= budget;
  const text = `${format(spent)} of ${format(budget)} credits`;
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
