import type { BoothEventState } from '@guise/contract/events/events.ts';
import { eventStates } from './event-words.ts';

const colours: Record<BoothEventState, string> = {
  planned: 'border text-ink-soft',
  open: 'border border-good text-good',
  paused: 'border border-accent text-accent-ink',
  budget_spent: 'border border-lost text-lost',
  ended: 'border text-ink-soft',
  erased: 'border text-ink-soft',
};

/** Whether guests can be served now: in a word and by colour. */
export const EventStateMark = ({ state }: { state: BoothEventState }) => (
  <span
    className={`inline-flex min-h-6 items-center rounded-full px-2.5 text-small font-medium whitespace-nowrap ${colours[state]}`}
  >
    {eventStates[state].label}
  </span>
);
