import type { BoothEvent } from '@guise/contract/events/events.ts';
import { Link } from '@tanstack/react-router';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { BudgetBar } from '../keys/budget-bar.tsx';
import { EventStateMark } from './event-state-mark.tsx';
import { whenOf } from './event-words.ts';

/** An event: when it is, whether it serves guests, what was made and spent. */
export function EventRow({ event }: { event: BoothEvent }) {
  const { length } = event.offers;
  const offers = length === 1 ? say('1 offer') : say('{count} offers', { count: numberText(length) });
  const photos = event.jobs === 1 ? say('1 photo') : say('{count} photos', { count: numberText(event.jobs) });
  return (
    <li className="border-b">
      <Link
        to="/studio/events/$id"
        params={{ id: event.id }}
        className="group grid grid-cols-[minmax(0,5fr)_minmax(0,2fr)_minmax(0,3fr)_8rem] items-center gap-x-6 gap-y-2 py-4 max-lg:grid-cols-[minmax(0,1fr)_auto]"
      >
        <div className="min-w-0">
          <h2 className="truncate group-hover:underline">{event.name}</h2>
          <p className="text-small text-ink-soft">
            {whenOf(event)} <span className="whitespace-nowrap">({event.time_zone})</span>
          </p>
        </div>
        <p className="text-small text-ink-soft max-lg:col-span-2 max-lg:row-start-2">
          {offers}, {photos}
        </p>
        <div className="max-lg:col-span-2 max-lg:row-start-3">
          <BudgetBar spent={event.spent} budget={event.budget} />
        </div>
        <div className="justify-self-end">
          <EventStateMark state={event.state} />
        </div>
      </Link>
    </li>
  );
}
