import { Meter } from '@base-ui/react/meter';
import type { BoothEvent } from '@guise/contract/events/events.ts';
import type { EventProgress } from '@guise/contract/events/stations.ts';
import type { ReactNode } from 'react';
import { dollars } from '../../../ui/dollars.ts';
import { duration } from '../../../ui/format-time.ts';
import { numberText } from '../../../words/language.ts';
import { say } from '../../../words/say.ts';

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
      aria-label={say('This evening')}
      className="grid grid-cols-[minmax(0,2fr)_repeat(3,minmax(0,1fr))] gap-x-8 gap-y-6 border-y py-5 max-lg:grid-cols-3"
    >
      <div className="max-lg:col-span-3">
        <BudgetLeft event={event} />
      </div>
      <Figure
        label={say('Pictures')}
        value={progress?.completed}
        note={
          progress?.usual_ms == null
            ? say('None yet')
            : say('{time} each', { time: duration(progress.usual_ms) })
        }
      />
      <Figure label={say('Waiting')} value={waiting} note={waitingNote(progress)} />
      <Figure
        label={say('Failed')}
        value={progress?.failed}
        note={progress?.failed ? say('Credits returned') : say('None')}
        isBad={(progress?.failed ?? 0) > 0}
      />
    </section>
  );
}

function waitingNote(progress: EventProgress | undefined): string {
  if (!progress) return '';
  if (progress.waiting > 0 && progress.wait_ms > 0)
    return say('Longest for {time}', { time: duration(progress.wait_ms) });
  return progress.waiting + progress.running > 0 ? say('Being made') : say('Nobody is waiting');
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
        {value === undefined ? '–' : numberText(value)}
      </p>
      <p className="text-small text-ink-soft">{value === undefined ? '' : note}</p>
    </div>
  );
}

/** What services and GPUs took for the event, where it is known and the reader may know it. */
function EngineCosts({ event: { cost_usd = 0 } }: { event: BoothEvent }) {
  if (cost_usd === 0) return null;
  return (
    <p className="mt-1 text-small text-ink-soft">
      {say('{amount} for engines so far', { amount: dollars(cost_usd) })}
    </p>
  );
}

function BudgetLeft({ event }: { event: BoothEvent }) {
  const { budget, spent } = event;
  if (budget === null)
    return (
      <div>
        <p className="text-small text-ink-soft">{say('Budget')}</p>
        <p className="text-title font-semibold">
          {spent === 1 ? say('1 credit spent') : say('{count} credits spent', { count: numberText(spent) })}
        </p>
        <p className="text-small text-ink-soft">{say('Limited by the account’s balance only')}</p>
        <EngineCosts event={event} />
      </div>
    );
  const left = Math.max(0, budget - spent);
  // A fifth of the budget is the last hour of an evening: time to raise it.
  const isShort = left * 5 < budget;
  return (
    <Meter.Root
      value={left}
      max={Math.max(budget, 1)}
      aria-valuetext={say('{left} of {budget} credits left', { left, budget })}
    >
      <Meter.Label className="text-small text-ink-soft">{say('Budget left')}</Meter.Label>
      <p className={`text-title font-semibold ${left === 0 ? 'text-lost' : ''}`}>
        {numberText(left)}{' '}
        <span className="text-base font-normal text-ink-soft">
          {budget === 1 ? say('of 1 credit') : say('of {count} credits', { count: numberText(budget) })}
        </span>
      </p>
      <Meter.Track className="mt-2 h-1.5 overflow-hidden rounded-full bg-line">
        <Meter.Indicator className={`h-full ${left === 0 ? 'bg-lost' : isShort ? 'bg-accent' : 'bg-good'}`} />
      </Meter.Track>
      <EngineCosts event={event} />
    </Meter.Root>
  );
}
