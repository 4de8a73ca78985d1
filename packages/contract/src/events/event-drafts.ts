import { z } from 'zod';
import { basedOnDraft, checkedDraftFields, VersionCheck } from '../filter-details.ts';
import { BoothEvent, EventDraftChange } from './events.ts';
import { preflightParts } from './preflight.ts';

export const NewEventDraft = z
  .object({
    change: EventDraftChange.meta({ description: 'What differs from the event as it is' }),
    based_on: basedOnDraft,
  })
  .meta({ id: 'NewEventDraft' });
export type NewEventDraft = z.infer<typeof NewEventDraft>;
export type NewEventDraftInput = z.input<typeof NewEventDraft>;

/** Whether an event could be so, the parts of an evening that follow from the change, and the filters that are new in it. */
export const EventCheck = VersionCheck.extend({
  kind: z.enum(['event', 'filter', ...preflightParts]),
  photo: z.string().nullable().meta({ description: 'The name of the filter' }),
}).meta({ id: 'EventCheck' });
export type EventCheck = z.infer<typeof EventCheck>;

/** A change that is saved before it is live, as it is shown: without a new password of the gallery. */
const ShownEventChange = BoothEvent.pick({
  name: true,
  starts_at: true,
  ends_at: true,
  time_zone: true,
  offers: true,
  ratios: true,
  safe_offer: true,
  budget: true,
  pictures_per_guest: true,
  tries_per_guest: true,
  texts: true,
  questions: true,
  details: true,
  blocked_words: true,
  moments: true,
  branding: true,
  result_hours: true,
  wall: true,
  gallery: true,
  webhook_url: true,
  hosted_engines: true,
  printer_id: true,
  prints_per_guest: true,
  print_limit: true,
  mail: true,
})
  .partial()
  .meta({ id: 'ShownEventChange' });

/** A change of an event that is not live. */
export const EventDraft = z
  .object({
    change: ShownEventChange,
    has_gallery_password: z
      .boolean()
      .meta({ description: 'Whether it has a new password of the gallery, which is not shown' }),
    ...checkedDraftFields(EventCheck),
  })
  .meta({ id: 'EventDraft' });
export type EventDraft = z.infer<typeof EventDraft>;
