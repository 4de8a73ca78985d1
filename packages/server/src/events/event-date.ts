import type { EventRow } from '../store/events/event-schema.ts';
import { settingsOf } from './event-settings.ts';

const dayMs = 24 * 3600_000;

/** The day of an evening, or the days of a longer event, in the first language of its texts. */
export function dateOf(event: Pick<EventRow, 'settings' | 'starts_at' | 'ends_at'>): string {
  const { texts, time_zone } = settingsOf(event);
  const [language = 'en'] = Object.keys(texts);
  const format = new Intl.DateTimeFormat([language, 'en'], { dateStyle: 'long', timeZone: time_zone });
  // An evening ends after midnight and has one date all the same.
  return event.ends_at - event.starts_at <= dayMs
    ? format.format(event.starts_at)
    : format.formatRange(event.starts_at, event.ends_at);
}
