import { z } from 'zod';
import { Gender, ImageInput, Ratio, Uuid } from '../common.ts';
import { BurstPhotos } from '../families/living-portrait.ts';
import { loopLinks } from '../jobs.ts';
import { TestStatus } from '../qa-runs.ts';
import { QualityAnswer } from '../quality.ts';
import { Text } from '../texts.ts';
import { GivenDetails } from './details.ts';
import { overlays, shownEvent } from './events.ts';
import { Language } from './labels.ts';
import { boothKinds, takeLimits } from './offers.ts';
import { PrintLayout } from './print-template.ts';

/** The header that a guest's page sends its token in. */
export const guestHeader = 'X-Guest-Token';

/** An event as a booth sees it: nothing of credits, prompts and filters. */
export const Booth = z
  .object({
    ...shownEvent,
    overlays,
    photos_go_to: z.array(z.string()).optional().meta({
      description: 'Companies that photos of guests may go to; empty where they stay on the installation',
    }),
    prints: z
      .object({
        copies: z.number().int().meta({ description: 'Of one print, at most' }),
      })
      .nullable()
      .meta({ description: 'How the server prints for this booth; null where the booth prints by itself' }),
    mail: z.boolean().meta({ description: 'Whether guests may ask for a picture by mail' }),
    offers: z.array(
      z.object({
        id: z.string(),
        kind: z.enum(boothKinds),
        labels: z.record(z.string(), z.string()),
        shots: z
          .number()
          .int()
          .meta({ description: 'Photos to take one after the other, each for a picture' }),
        variations: z
          .number()
          .int()
          .meta({ description: 'Pictures of the same photo besides, among which the guest chooses' }),
        preview_url: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'Booth' });
export type Booth = z.infer<typeof Booth>;

const NewConsent = z.object({
  version: z.int().min(1).meta({ description: '`consent_version` of what the guest was shown' }),
  language: Language,
  answers: z.record(z.string().max(40), z.boolean()).default({}).meta({ description: 'By question' }),
  given_at: z.iso
    .datetime({ offset: true })
    .optional()
    .meta({ description: 'When the guest agreed, for photos that are sent later' }),
});
export type NewConsent = z.infer<typeof NewConsent>;

export const NewEventJob = z
  .object({
    guest: Uuid.meta({
      description: 'Chosen by the booth, one for each guest: what limits per guest count by',
    }),
    offer_id: z.string().max(40),
    image: ImageInput.optional().meta({ description: 'Required unless there are `images`' }),
    images: BurstPhotos.optional().meta({
      description:
        'The shots of a burst in order, for a living portrait; other offers take the first of them',
    }),
    gender: Gender.optional(),
    ratio: Ratio.optional(),
    take: Uuid.optional().meta({
      description:
        'Chosen by the booth, one for all shots or variations of one touch: they count as one picture of the guest',
    }),
    variation: z
      .int()
      .min(0)
      .max(takeLimits.variations)
      .default(0)
      .meta({ description: 'Which of the offer’s variations; 0 is its own filter' }),
    details: GivenDetails.default({}).meta({ description: 'What the guest gave, by detail' }),
    consent: NewConsent.optional().meta({ description: 'Required where the event has a consent text' }),
  })
  .refine((body) => (body.image ?? body.images) !== undefined, { path: ['image'], error: 'is required' })
  .refine((body) => body.image === undefined || body.images === undefined, {
    path: ['images'],
    error: 'must not come with image: send one of them',
  })
  .meta({ id: 'NewEventJob' });
export type NewEventJob = z.infer<typeof NewEventJob>;
export type NewEventJobInput = z.input<typeof NewEventJob>;

/** How large a moving picture of a moment may be. */
export const momentLimits = { bytes: 3_000_000, side: 640, frames: 60 } as const;

/** The quick shots of a photo as a small GIF that a booth makes by itself. */
export const NewMoment = z
  .object({
    gif: z.string().meta({ description: 'A GIF as base64, of at most 3 MB, 640 × 640 pixels and 60 frames' }),
  })
  .meta({ id: 'NewMoment' });
export type NewMoment = z.infer<typeof NewMoment>;

export const StartedEventJob = z
  .object({
    id: z.string(),
    guest_token: z.string().meta({ description: 'Reads and erases the pictures of this guest' }),
    guest_url: z.string().meta({ description: 'The guest’s page, for a QR code' }),
    pictures_left: z.number().int().nullable().meta({ description: 'Of this guest; null for no limit' }),
  })
  .meta({ id: 'StartedEventJob' });
export type StartedEventJob = z.infer<typeof StartedEventJob>;

export const PhotoToCheck = z
  .object({ image: ImageInput, offer_id: z.string().max(40) })
  .meta({ id: 'PhotoToCheck' });
export type PhotoToCheck = z.infer<typeof PhotoToCheck>;

export const PhotoProblemCode = z
  .enum(['NO_FACE', 'FACE_TOO_SMALL', 'FACE_CUT_OFF', 'FACE_TURNED', 'TOO_DARK', 'TOO_MANY_PEOPLE'])
  .meta({ id: 'PhotoProblemCode' });
export type PhotoProblemCode = z.infer<typeof PhotoProblemCode>;

const share = z.number();

/** Whether a job can be made of a photo, told before one is spent. */
export const PhotoCheck = z
  .object({
    ok: z.boolean().meta({ description: 'Whether there are no problems' }),
    problems: z
      .array(
        z.object({
          code: PhotoProblemCode,
          sentence: z.string().meta({ description: 'For the guest' }),
          blocks: z.boolean().meta({ description: 'Whether a job with this photo would be refused for it' }),
        }),
      )
      .meta({ description: 'What a job would be refused for comes first' }),
    faces: z
      .array(z.object({ x: share, y: share, width: share, height: share }))
      .meta({ description: 'From left to right, in shares of the width and height of the upright photo' }),
  })
  .meta({ id: 'PhotoCheck' });
export type PhotoCheck = z.infer<typeof PhotoCheck>;

export const EventPicture = z
  .object({
    id: z.string(),
    offer_id: z.string(),
    status: TestStatus,
    progress: z.number(),
    media_type: z.string(),
    url: z.string().nullable().meta({ description: 'A signed link to the picture or video' }),
    thumbnail_url: z.string().nullable(),
    ...loopLinks,
    moment_url: z
      .string()
      .optional()
      .meta({ description: 'The moment as a moving picture, where the booth has sent one' }),
    error: z.string().nullable().meta({ description: 'One sentence for the guest' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'EventPicture' });
export type EventPicture = z.infer<typeof EventPicture>;

/** The same as the booth reads it that sent the photo: it can offer another photo. */
export const BoothPicture = EventPicture.extend({ quality: QualityAnswer.nullable() }).meta({
  id: 'BoothPicture',
});
export type BoothPicture = z.infer<typeof BoothPicture>;

/** How a picture is laid out for a printer. */
export const PrintQuery = z.object({
  layout: PrintLayout.optional().meta({
    description:
      '`4x6` is 1200 × 1800 or 1800 × 1200 pixels at 300 dpi, `2x6` a strip of 600 × 1800, `two_strips` two of them on 4 × 6 inches, `square` 1200 × 1200, `a6` 1240 × 1748, `a5` 1748 × 2480; without it, what the branding of the event says, or `4x6`',
  }),
  format: z.enum(['png', 'pdf', 'jpeg']).default('png'),
  with: z.string().max(200).optional().meta({
    description:
      'Other pictures of the guest for a strip, by their ids with commas in between; without it, the newest',
  }),
});
export type PrintQuery = z.infer<typeof PrintQuery>;
export type PrintQueryInput = z.input<typeof PrintQuery>;

/** What a guest's page shows. */
export const GuestPage = z
  .object({
    event: z.object({
      name: shownEvent.name,
      texts: shownEvent.texts,
      branding: shownEvent.branding,
      mail: z.boolean().meta({ description: 'Whether the guest may ask for a picture by mail' }),
    }),
    pictures: z.array(EventPicture).meta({ description: 'Newest first' }),
  })
  .meta({ id: 'GuestPage' });
export type GuestPage = z.infer<typeof GuestPage>;

/** The headers that the wall and the gallery send the tokens of their links in. */
export const wallHeader = 'X-Wall-Token';
export const galleryHeader = 'X-Gallery-Token';

/** A picture or video as those see it who are not its guest. */
export const SharedPicture = z
  .object({
    id: z.string(),
    media_type: z.string(),
    url: z.string().meta({ description: 'A signed link to the picture or video' }),
    thumbnail_url: z.string(),
    poster_url: loopLinks.poster_url,
    has_overlay: z.boolean().meta({
      description: 'Whether the event has laid or written something over it, so that it is shown uncropped',
    }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'SharedPicture' });
export type SharedPicture = z.infer<typeof SharedPicture>;

/** Pictures of an event whose guests agreed that they are shown. */
export const SharedPictures = z
  .object({
    event: z.object({
      name: shownEvent.name,
      branding: shownEvent.branding,
      gallery_url: z.string().nullable().optional().meta({
        description: 'On the wall: where guests open the gallery, for a QR code; null where there is none',
      }),
    }),
    pictures: z.array(SharedPicture).meta({ description: 'Newest first' }),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'SharedPictures' });
export type SharedPictures = z.infer<typeof SharedPictures>;

/**
 * The events of `GET /v1/wall/changes`, by type: at first all pictures of the wall, then each that is new and each that
 * has gone.
 */
export const wallChangeTypes = {
  pictures: SharedPictures,
  picture: SharedPicture,
  removed: z.object({ id: z.string() }),
} as const;
export type WallChangeType = keyof typeof wallChangeTypes;

/** More pictures are not on the wall: the newest stay. */
export const mostOnWall = 500;

export const GalleryPassword = z.object({ password: Text.min(1).max(200) }).meta({ id: 'GalleryPassword' });
export type GalleryPassword = z.infer<typeof GalleryPassword>;

export const UnlockedGallery = z
  .object({
    token: z.string().meta({ description: 'Reads the gallery, in place of the token of its link' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'UnlockedGallery' });
export type UnlockedGallery = z.infer<typeof UnlockedGallery>;

const EventLink = z.object({ token: z.string(), url: z.string() });

/** Links for a projector and for guests; null where the event shows neither. */
export const EventLinks = z
  .object({ wall: EventLink.nullable(), gallery: EventLink.nullable() })
  .meta({ id: 'EventLinks' });
export type EventLinks = z.infer<typeof EventLinks>;
