import { NewBoothEvent } from '@guise/contract/events/events.ts';
import type { z } from 'zod';
import { isoTime } from '../iso-time.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import { readJson } from '../store/json-column.ts';

/** What is stored of an event as JSON. */
const EventSettings = NewBoothEvent.pick({
  time_zone: true,
  offers: true,
  ratios: true,
  safe_offer: true,
  safe_mode: true,
  texts: true,
  questions: true,
  details: true,
  blocked_words: true,
  moments: true,
  branding: true,
  wall: true,
  gallery: true,
  webhook_url: true,
  hosted_engines: true,
  printer_id: true,
  prints_per_guest: true,
  print_limit: true,
  mail: true,
});
export type EventSettings = z.infer<typeof EventSettings>;

/** Events that were made before there was a field have its default. */
export const settingsOf = ({ settings }: Pick<EventRow, 'settings'>): EventSettings =>
  readJson(EventSettings, settings);

/** What of an event's fields stands in its row. */
export function columnsOf(wanted: NewBoothEvent) {
  const { name, budget, pictures_per_guest, tries_per_guest, result_hours } = wanted;
  return {
    name,
    starts_at: Date.parse(wanted.starts_at),
    ends_at: Date.parse(wanted.ends_at),
    paused: wanted.paused ? 1 : 0,
    budget,
    pictures_per_guest,
    tries_per_guest,
    result_hours,
    settings: JSON.stringify(EventSettings.parse(wanted)),
  } as const;
}

/** The fields that can be edited, as they are now. */
export function fieldsOf(row: EventRow): NewBoothEvent {
  const { name, budget, pictures_per_guest, tries_per_guest, result_hours } = row;
  return {
    name,
    starts_at: isoTime(row.starts_at),
    ends_at: isoTime(row.ends_at),
    paused: row.paused === 1,
    budget,
    pictures_per_guest,
    tries_per_guest,
    result_hours,
    ...settingsOf(row),
    gallery_password: null,
  };
}
