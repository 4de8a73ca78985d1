import { z } from 'zod';
import { ImageInput, Integer, Ratio, Uuid, WebhookUrl } from '../common.ts';
import { SavedDraft } from '../filter-details.ts';
import { JobListEntry } from '../jobs.ts';
import { QualityAnswer } from '../quality.ts';
import { Text } from '../texts.ts';
import { detailLimits, NewGuestDetail, ShownGuestDetail } from './details.ts';
import { Labels, Language, mostLanguages, Slug, shownLabels, tooManyLanguages } from './labels.ts';
import { NewOffer, ShownOffer } from './offers.ts';
import { Colour, OverlayText, PrintLayout, PrintTemplate } from './print-template.ts';

/** How many an account may have, and what one may hold. */
export const eventLimits = {
  events: 500,
  offers: 100,
  languages: mostLanguages,
  questions: 10,
  days: 366,
} as const;

export const NewConsentQuestion = z
  .object({
    id: Slug,
    required: z.boolean().default(false).meta({ description: 'Whether only yes lets the guest go on' }),
    labels: Labels,
  })
  .meta({ id: 'NewConsentQuestion' });
export type ConsentQuestion = z.infer<typeof NewConsentQuestion>;

const Sentence = Text.trim().max(4000, 'must have at most 4,000 characters');
const NewTexts = z
  .record(
    Language,
    z.object({
      welcome: Sentence.default(''),
      consent: Sentence.default('').meta({ description: 'What the guest agrees to' }),
      thanks: Sentence.default(''),
    }),
  )
  .refine((texts) => Object.keys(texts).length <= mostLanguages, tooManyLanguages);
export type EventTexts = z.infer<typeof NewTexts>;

export const Branding = z.object({
  background: Colour.optional(),
  text: Colour.optional(),
  accent: Colour.optional(),
  print_layout: PrintLayout.optional(),
  print_code: z
    .boolean()
    .optional()
    .meta({ description: 'Whether prints have the QR code of the guest’s page' }),
  print_template: PrintTemplate.optional().meta({
    description: 'Where everything is on its paper, in place of the usual layout of `print_layout`',
  }),
  overlay_texts: z
    .array(OverlayText)
    .max(8, 'must hold at most 8 texts')
    .optional()
    .meta({ description: 'Written over pictures, with what guests gave' }),
});
export type EventBranding = z.infer<typeof Branding>;

/** The layout of prints for which none is asked. */
export const usualLayoutOf = ({ print_layout, print_template }: EventBranding): PrintLayout =>
  print_layout ?? print_template?.paper ?? '4x6';

const TimeZone = Text.max(64).refine(isTimeZone, 'must be a time zone such as Europe/Berlin');
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Where pictures are shown to others than their guests. */
export const GalleryMode = z.enum(['off', 'link', 'password']).meta({ id: 'GalleryMode' });
export const WallMode = z.enum(['off', 'approved', 'all']).meta({ id: 'WallMode' });
/** What the operator says of a picture. One that is hidden is shown nowhere but on the page of its guest. */
export const Approval = z.enum(['pending', 'approved', 'hidden']).meta({ id: 'Approval' });
export type Approval = z.infer<typeof Approval>;

/** What guests get by mail, in each language. Without one of theirs, the first one counts. */
const MailTemplate = z
  .object({
    texts: z
      .record(
        Language,
        z.object({
          subject: Text.trim().min(1).max(200),
          text: Text.trim().max(4000, 'must have at most 4,000 characters').default(''),
        }),
      )
      .refine((texts) => Object.keys(texts).length > 0, 'must be in at least one language')
      .refine((texts) => Object.keys(texts).length <= mostLanguages, tooManyLanguages),
    attach: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether the picture comes with the mail, or the link to it alone' }),
  })
  .meta({ id: 'MailTemplate' });
export type MailTemplate = z.infer<typeof MailTemplate>;

const unique = <T extends { id: string }>(list: readonly T[]) =>
  new Set(list.map(({ id }) => id)).size === list.length;
const perGuest = Integer.min(1).max(1000).nullable();

const fields = {
  name: Text.trim().min(1).max(120),
  starts_at: z.iso.datetime({ offset: true }),
  ends_at: z.iso
    .datetime({ offset: true })
    .meta({ description: `At most ${eventLimits.days} days after starts_at` }),
  time_zone: TimeZone.meta({ description: 'What its times are shown in' }),
  offers: z
    .array(NewOffer)
    .max(eventLimits.offers, `must hold at most ${eventLimits.offers} offers`)
    .refine(unique, 'must not hold an id twice')
    .meta({ description: 'In the order in which guests see them' }),
  ratios: z
    .array(Ratio)
    .min(1)
    .max(3)
    .meta({ description: 'What guests may choose; the first is the usual' }),
  safe_offer: Slug.nullable().meta({ description: 'The offer that everything is made with in safe mode' }),
  safe_mode: z.boolean(),
  budget: Integer.min(0)
    .max(1_000_000_000)
    .nullable()
    .meta({ description: 'Credits for all its jobs; null for no limit but the account’s balance' }),
  pictures_per_guest: perGuest.meta({ description: 'Jobs of one guest that have not failed' }),
  tries_per_guest: perGuest.meta({ description: 'Jobs of one guest, failed ones included' }),
  texts: NewTexts,
  questions: z
    .array(NewConsentQuestion)
    .max(eventLimits.questions, `must hold at most ${eventLimits.questions} questions`)
    .refine(unique, 'must not hold an id twice')
    .meta({ description: 'What guests are asked beside the consent text' }),
  details: z
    .array(NewGuestDetail)
    .max(detailLimits.details, `must hold at most ${detailLimits.details} details`)
    .refine(unique, 'must not hold an id twice')
    .meta({ description: 'What guests type or choose, for prompts, overlays and prints' }),
  blocked_words: z
    .array(Text.trim().min(1).max(60))
    .max(detailLimits.blockedWords, `must hold at most ${detailLimits.blockedWords} words`)
    .meta({ description: 'Words that no guest may type, beside the coarse ones that are always refused' }),
  moments: z.boolean().meta({
    description:
      'Whether guests get the quick shots of their photo as a moving picture at once, which is kept with the picture',
  }),
  branding: Branding,
  result_hours: Integer.min(1)
    .max(24 * 366)
    .nullable()
    .meta({ description: 'How long results are kept, where that is shorter than what the server says' }),
  wall: WallMode.meta({
    description:
      'Which pictures of guests who agreed are on the wall: none, approved ones, or all but hidden ones',
  }),
  gallery: GalleryMode.meta({ description: 'Whether those pictures are shown to whoever has the link' }),
  gallery_password: Text.min(6)
    .max(200)
    .nullable()
    .meta({ description: 'For a gallery with a password. It is stored as a hash and never shown' }),
  webhook_url: WebhookUrl.nullable().meta({
    description: 'Told by a signed POST when a picture is ready and when the budget is low',
  }),
  hosted_engines: z.boolean().meta({
    description:
      'Whether photos of its guests may go to a company whose engine the operator has set up; guests are told to whom',
  }),
  printer_id: Uuid.nullable().meta({
    description: 'The printer of the account that its booths print on; null where they print by themselves',
  }),
  prints_per_guest: perGuest.meta({ description: 'Copies that booths print for one guest' }),
  print_limit: Integer.min(0)
    .max(1_000_000)
    .nullable()
    .meta({ description: 'Copies that booths print in all' }),
  mail: MailTemplate.nullable().meta({
    description: 'What guests get who ask for a picture by mail; null where they cannot',
  }),
  paused: z.boolean(),
};

export const NewBoothEvent = z
  .object({
    ...fields,
    time_zone: fields.time_zone.default('UTC'),
    offers: fields.offers.default([]),
    ratios: fields.ratios.default(['portrait']),
    safe_offer: fields.safe_offer.default(null),
    safe_mode: fields.safe_mode.default(false),
    budget: fields.budget.default(null),
    pictures_per_guest: fields.pictures_per_guest.default(null),
    tries_per_guest: fields.tries_per_guest.default(null),
    texts: fields.texts.default({}),
    questions: fields.questions.default([]),
    details: fields.details.default([]),
    blocked_words: fields.blocked_words.default([]),
    moments: fields.moments.default(false),
    branding: fields.branding.default({}),
    result_hours: fields.result_hours.default(null),
    wall: fields.wall.default('off'),
    gallery: fields.gallery.default('off'),
    gallery_password: fields.gallery_password.default(null),
    webhook_url: fields.webhook_url.default(null),
    hosted_engines: fields.hosted_engines.default(false),
    printer_id: fields.printer_id.default(null),
    prints_per_guest: fields.prints_per_guest.default(null),
    print_limit: fields.print_limit.default(null),
    mail: fields.mail.default(null),
    paused: fields.paused.default(false),
  })
  .meta({ id: 'NewBoothEvent' });
export type NewBoothEvent = z.infer<typeof NewBoothEvent>;
export type NewBoothEventInput = z.input<typeof NewBoothEvent>;

export const BoothEventChange = z
  .object({
    ...fields,
    closed: z.boolean().meta({ description: 'True ends the event before its time; false opens it again' }),
  })
  .partial()
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'must change something',
  })
  .meta({ id: 'BoothEventChange' });
export type BoothEventChange = z.infer<typeof BoothEventChange>;
export type BoothEventChangeInput = z.input<typeof BoothEventChange>;

/** A change that is saved before it is live. What an evening needs at once is in none: pausing, the safe mode and the end. */
export const EventDraftChange = z
  .object(fields)
  .omit({ paused: true, safe_mode: true })
  .partial()
  .meta({ id: 'EventDraftChange' });
export type EventDraftChange = z.infer<typeof EventDraftChange>;

/** Whether guests can be served now, and if not, why. */
export const BoothEventState = z
  .enum(['planned', 'open', 'paused', 'budget_spent', 'ended', 'erased'])
  .meta({ id: 'BoothEventState' });
export type BoothEventState = z.infer<typeof BoothEventState>;

const shownQuestion = z
  .object({ id: z.string(), required: z.boolean(), labels: shownLabels })
  .meta({ id: 'ConsentQuestion' });
const shownTexts = z.record(
  z.string(),
  z.object({ welcome: z.string(), consent: z.string(), thanks: z.string() }),
);

const ShownMailTemplate = z
  .object({
    texts: z.record(z.string(), z.object({ subject: z.string(), text: z.string() })),
    attach: z.boolean(),
  })
  .meta({ id: 'EventMailTemplate' });

/** What both the account and the booth see. */
export const shownEvent = {
  id: z.string(),
  name: z.string(),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  time_zone: z.string(),
  state: BoothEventState,
  ratios: z.array(Ratio),
  pictures_per_guest: z.number().int().nullable(),
  tries_per_guest: z.number().int().nullable(),
  texts: shownTexts,
  questions: z.array(shownQuestion),
  details: z.array(ShownGuestDetail),
  blocked_words: z.array(z.string()),
  moments: z.boolean(),
  consent_version: z
    .number()
    .int()
    .meta({ description: 'Counts the edits of the consent texts and questions, from 1' }),
  branding: Branding,
  result_hours: z.number().int().nullable(),
};

/** A picture with transparent parts that is laid over the results of an event. */
export const EventOverlay = z
  .object({
    ratio: Ratio,
    url: z.string().meta({ description: 'A signed link to the PNG at the size of its canvas' }),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'EventOverlay' });
export type EventOverlay = z.infer<typeof EventOverlay>;

export const NewEventOverlay = z
  .object({
    image: ImageInput.meta({
      description:
        'A PNG with transparent parts, in the shape of the ratio: 1200 × 1800, 1800 × 1200 or 1280 × 1280 pixels',
    }),
  })
  .meta({ id: 'NewEventOverlay' });
export type NewEventOverlay = z.infer<typeof NewEventOverlay>;

export const overlays = z.array(EventOverlay).meta({ description: 'Laid over results of their shape' });

export const BoothEvent = z
  .object({
    ...shownEvent,
    overlays,
    offers: z.array(ShownOffer),
    safe_offer: z.string().nullable(),
    safe_mode: z.boolean(),
    budget: z.number().int().nullable(),
    spent: z.number().int().meta({ description: 'Credits of its jobs, without those that were returned' }),
    jobs: z.number().int().meta({ description: 'Accepted so far' }),
    gpu_seconds: z.number().optional().meta({
      description: 'For operators: how long servers were at work for its jobs, as far as they tell it',
    }),
    cost_usd: z.number().optional().meta({
      description:
        'For operators: what services charged for its jobs, and what GPUs cost meanwhile, in US dollars, as far as that is known',
    }),
    wall: WallMode,
    gallery: GalleryMode,
    webhook_url: z.string().nullable(),
    hosted_engines: z.boolean(),
    printer_id: z.string().nullable(),
    prints_per_guest: z.number().int().nullable(),
    print_limit: z.number().int().nullable(),
    mail: ShownMailTemplate.nullable(),
    paused: z.boolean(),
    closed: z.boolean(),
    draft: SavedDraft.nullable().meta({ description: 'A change that is saved and not live' }),
    can_undo: z
      .boolean()
      .meta({ description: 'Whether the last change that went live from a draft can be undone' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    erased_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'BoothEvent' });
export type BoothEvent = z.infer<typeof BoothEvent>;

export const BoothEventList = z
  .object({
    events: z.array(BoothEvent),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'BoothEventList' });
export type BoothEventList = z.infer<typeof BoothEventList>;

export const NewEventKey = z
  .object({
    name: Text.trim().min(1).max(100),
    budget: z.int().min(0).max(1_000_000_000).nullable().optional(),
    expires_at: z.iso
      .datetime({ offset: true })
      .optional()
      .meta({ description: 'Without it, a day after the end of the event' }),
  })
  .meta({ id: 'NewEventKey' });
export type NewEventKey = z.infer<typeof NewEventKey>;

/** What a guest agreed to. */
export const GivenConsent = z
  .object({
    version: z.number().int(),
    language: z.string(),
    answers: z.record(z.string(), z.boolean()),
    given_at: z.iso.datetime(),
  })
  .meta({ id: 'GivenConsent' });
export type GivenConsent = z.infer<typeof GivenConsent>;

export const EventJobEntry = JobListEntry.extend({
  offer_id: z.string(),
  guest_id: z.string(),
  details: z.record(z.string(), z.string()).meta({ description: 'What the guest gave, by detail' }),
  consent: GivenConsent.nullable(),
  approval: Approval,
  may_show: z
    .object({ wall: z.boolean(), gallery: z.boolean() })
    .meta({ description: 'What the guest agreed to' }),
  quality: QualityAnswer.nullable(),
}).meta({ id: 'EventJobEntry' });
export type EventJobEntry = z.infer<typeof EventJobEntry>;

export const EventJobList = z
  .object({ jobs: z.array(EventJobEntry), next_cursor: z.string().nullable() })
  .meta({ id: 'EventJobList' });
export type EventJobList = z.infer<typeof EventJobList>;

export const EventPictureChange = z.object({ approval: Approval }).meta({ id: 'EventPictureChange' });
export type EventPictureChange = z.infer<typeof EventPictureChange>;
