import type { BoothEvent, BoothEventState } from '@guise/contract/events/events.ts';

export const eventStates: Record<BoothEventState, { label: string; text: string }> = {
  planned: { label: 'Planned', text: 'Booths show that it has not begun.' },
  open: { label: 'Open', text: 'Booths take photos.' },
  paused: { label: 'Paused', text: 'Booths say that there is a short break.' },
  budget_spent: { label: 'Budget spent', text: 'Booths say that all pictures have been taken.' },
  ended: { label: 'Ended', text: 'Booths take no more photos.' },
  erased: { label: 'Erased', text: 'Everything that guests made is gone.' },
};

/** "5 Dec, 18:00 – 6 Dec, 02:00", in the time of the place where the event is. */
export function whenOf({
  starts_at,
  ends_at,
  time_zone,
}: Pick<BoothEvent, 'starts_at' | 'ends_at' | 'time_zone'>): string {
  const format = new Intl.DateTimeFormat(undefined, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: time_zone,
  });
  return format.formatRange(new Date(starts_at), new Date(ends_at));
}

/** The label of an offer in the first language that has one. */
export const labelOf = (labels: Record<string, string>, fallback: string): string =>
  labels.en ?? Object.values(labels)[0] ?? fallback;

export const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
