import { Meter } from '@base-ui/react/meter';
import type { BoothEvent } from '@guise/contract/events/events.ts';
import type { EventProgress } from '@guise/contract/events/stations.ts';
import type { ReactNode } from 'react';
import { dollars } from '../../../ui/dollars.ts';
import { duration } from '../../../ui/format-time.ts';
import { count } from '../event-words.ts';

interface EveningFiguresProps {
  event: BoothEvent;
  /** Undefined until it is read. */
  progress: EventProgress | undefined;
}

/** What is left of the budget, how many pictures there are, and how long guests wait. */
export function EveningFigures({ event, progress }: EveningFiguresProps) {
  const waiting = progress && progress.waiting + progress.running;
  return (
    <section
      aria-label="This evening"
      className="grid grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))] gap-x-8 gap-y-6 border-y py-5 max-lg:grid-cols-3"
    >
      <div className="max-lg:col-span-3">
        <BudgetLeft event={event} />
      </div>
      <Figure
        label="Pictures"
        value={progress?.completed}
        note={progress?.usual_ms == null ? 'None yet' : `${duration(progress.usual_ms)} each`}
      />
      <Figure label="Waiting" value={waiting} note={waitingNote(progress)} />
      <Figure
        label="Failed"
        value={progress?.failed}
        note={progress?.failed ? 'Credits returned' : 'None'}
        isBad={(progress?.failed ?? 0) > 0}
      />
    </section>
  );
}

function waitingNote(progress: EventProgress | undefined): string {
  if (!progress) return '';
  if (progress.waiting > 0 && progress.wait_ms > 0) return `Longest for ${duration(progress.wait_ms)}`;
  return progress.waiting + progress.running > 0 ? 'Being made' : 'Nobody is waiting';
}

interface FigureProps {
  label: string;
  value: number | undefined;
  note: ReactNode;
  isBad?: boolean;
}

function Figure({ label, value, note, isBad = false }: FigureProps) {
  return (
    <div className="min-w-0">
      <p className="text-small text-ink-soft">{label}</p>
      <p className={`text-title font-semibold ${isBad ? 'text-lost' : ''}`}>
        {value === undefined ? '–' : value.toLocaleString('en')}
      </p>
      <p className="text-small text-ink-soft">{value === undefined ? '' : note}</p>
    </div>
  );
}

/** What services and GPUs took for the event, where it is known and the reader may know it. */
function EngineCosts({ event: { cost_usd = 0 } }: { event: BoothEvent }) {
  if (cost_usd === 0) return null;
  return <p className="mt-1 text-small text-ink-soft">{dollars(cost_usd)} for engines so far</p>;
}

function BudgetLeft({ event }: { event: BoothEvent }) {
  const { budget, spent } = event;
  if (budget === null)
    return (
      <div>
        <p className="text-small text-ink-soft">Budget</p>
        <p className="text-title font-semibold">{count(spent, 'credit', 'credits')} spent</p>
        <p className="text-small text-ink-soft">Limited by the account’s balance only</p>
        <EngineCosts event={event} />
      </div>
    );
  const left = Math.max(0, budget - spent);
  // A fifth of the budget is the last hour of an evening: time to raise it.
  const isShort = left * 5 < budget;
  return (
    <Meter.Root value={left} max={Math.max(budget, 1)} aria-valuetext={`${left} of ${budget} credits left`}>
      <Meter.Label className="text-small text-ink-soft">Budget left</Meter.Label>
      <p className={`text-title font-semibold ${left === 0 ? 'text-lost' : ''}`}>
        {left.toLocaleString('en')}{' '}
        <span className="text-base font-normal text-ink-soft">of {count(budget, 'credit', 'credits')}</span>
      </p>
      <Meter.Track className="mt-2 h-1.5 overflow-hidden rounded-full bg-line">
        <Meter.Indicator className={`h-full ${left === 0 ? 'bg-lost' : isShort ? 'bg-accent' : 'bg-good'}`} />
      </Meter.Track>
      <EngineCosts event={event} />
    </Meter.Root>
  );
}
