import type { BoothEvent, BoothEventState } from '@guise/contract/events/events.ts';
import { language, locale } from '../../words/language.ts';
import { say } from '../../words/say.ts';

export const eventStates: Record<BoothEventState, { label: string; text: string }> = {
  planned: { label: say('Planned'), text: say('Booths show that it has not begun.') },
  open: { label: say('Open'), text: say('Booths take photos.') },
  paused: { label: say('Paused'), text: say('Booths say that there is a short break.') },
  budget_spent: { label: say('Budget spent'), text: say('Booths say that all pictures have been taken.') },
  ended: { label: say('Ended'), text: say('Booths take no more photos.') },
  erased: { label: say('Erased'), text: say('Everything that guests made is gone.') },
};

/** "5 Dec, 18:00 – 6 Dec, 02:00", in the time of the place where the event is. */
export function whenOf({
  starts_at,
  ends_at,
  time_zone,
}: Pick<BoothEvent, 'starts_at' | 'ends_at' | 'time_zone'>): string {
  const format = new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: time_zone,
  });
  return format.formatRange(new Date(starts_at), new Date(ends_at));
}

/** The label of an offer in the studio's language, else in the first that has one. */
export const labelOf = (labels: Record<string, string>, fallback: string): string =>
  labels[language] ?? labels.en ?? Object.values(labels)[0] ?? fallback;
