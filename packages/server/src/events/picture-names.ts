import type { EventJobRow, EventRow } from '../store/events/event-schema.ts';
import { settingsOf } from './event-settings.ts';

const longestName = 80;

/**
 * Names the files of an event's pictures, without their endings: when they were made, in the event's time zone, and
 * with which offer, such as "2026-11-19 21-04-33 Astronaut". No two calls give the same name.
 */
export function pictureNamer(
  event: Pick<EventRow, 'settings'>,
): (row: Pick<EventJobRow, 'offer_id' | 'created_at'>) => string {
  const { offers, texts, time_zone } = settingsOf(event);
  const [language = 'en'] = Object.keys(texts);
  // Swedish writes a date as ISO 8601 does.
  const time = new Intl.DateTimeFormat('sv-SE', {
    dateStyle: 'short',
    timeStyle: 'medium',
    timeZone: time_zone,
  });
  const labelOf = (offerId: string) => {
    const labels = offers.find(({ id }) => id === offerId)?.labels ?? {};
    return labels[language] ?? labels.en ?? Object.values(labels)[0] ?? offerId;
  };
  const taken = new Map<string, number>();
  return ({ offer_id, created_at }) => {
    const name = fileNameOf(`${time.format(created_at).replaceAll(':', '-')} ${labelOf(offer_id)}`);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  };
}

/** A text as a name that every file system takes. */
export function fileNameOf(text: string): string {
  const signs = [...text.replaceAll(/[\\/:*?"<>|\p{C}\s]+/gu, ' ').trim()];
  return signs
    .slice(0, longestName)
    .join('')
    .replace(/[. ]+$/, '');
}
