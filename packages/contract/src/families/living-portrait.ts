import { z } from 'zod';
import type { CatalogName } from '../catalogs.ts';
import { FilterRef, Gender, ImageInput, Integer, isGroup, Ratio, RunOptions } from '../common.ts';

/** How the time of a living portrait runs: to its last shot and back, or from the first to the last again and again. */
export const loopKinds = ['ping_pong', 'forward'] as const;
export type LoopKind = (typeof loopKinds)[number];
export const LoopKindChoice = z.enum(loopKinds).meta({ id: 'LoopKind' });
export const loopFormats = ['mp4', 'gif', 'webp'] as const;
export type LoopFormat = (typeof loopFormats)[number];

/** What a burst may be. A video that somebody took in its place is no longer and no larger than this. */
export const burstLimits = {
  leastShots: 2,
  mostShots: 8,
  videoSeconds: 10,
  videoBytes: 50 * 1024 * 1024,
} as const;

const { leastShots, mostShots } = burstLimits;

/** Shots of a burst, in the order in which they were taken. */
export const BurstPhotos = z
  .array(ImageInput, `must be a list of ${leastShots} to ${mostShots} photos`)
  // As refinements: zod measures a text in place of the list, too, and would refuse it twice.
  .refine(
    ({ length }) => length >= leastShots,
    `needs at least ${leastShots} photos of a burst: one photo alone does not move`,
  )
  .refine(({ length }) => length <= mostShots, `must hold at most ${mostShots} photos`)
  .meta({
    minItems: leastShots,
    maxItems: mostShots,
    description: `${leastShots} to ${mostShots} shots of a burst, in order, of one size`,
  });

const LivingPortraitFields = RunOptions.extend({
  images: BurstPhotos.optional(),
  input_images: BurstPhotos.optional().meta({ description: 'Accepted for `images`' }),
  video: z
    .string()
    .optional()
    .meta({
      description: `In place of photos: a video of at most ${burstLimits.videoSeconds} s and 50 MB as base64, data URI or public URL. Its sharpest frames are the shots`,
    }),
  filter_id: FilterRef.optional().meta({ description: 'A face swap filter' }),
  style_id: FilterRef.optional().meta({
    description: 'In place of `filter_id`: a multi swap style, for everybody in the photos',
  }),
  stylized: z
    .boolean('must be true or false')
    .default(false)
    .meta({ description: 'Whether an integer `style_id` is of the stylized catalog' }),
  gender: Gender.optional(),
  ratio: Ratio.optional().meta({
    description: 'Without it portrait, and with a `style_id` the nearest to the photos',
  }),
  seconds: Integer.min(2, 'must be 2 to 6').max(6, 'must be 2 to 6').default(3).meta({
    description: 'Of one round of the loop',
  }),
  loop: LoopKindChoice.default('ping_pong'),
  format: z.enum(loopFormats).meta({ id: 'LoopFormat' }).default('mp4'),
});

type Fields = z.infer<typeof LivingPortraitFields>;
const shotsGiven = (body: Pick<Fields, 'images' | 'input_images' | 'video'>) =>
  body.images ?? body.input_images ?? body.video;

export const LivingPortrait = LivingPortraitFields.refine((body) => shotsGiven(body) !== undefined, {
  path: ['images'],
  error: 'is required',
})
  .refine((body) => body.video === undefined || (body.images ?? body.input_images) === undefined, {
    path: ['video'],
    error: 'must not come with images: send one of them',
  })
  .refine((body) => (body.filter_id ?? body.style_id) !== undefined, {
    path: ['filter_id'],
    error: 'is required',
  })
  .meta({
    id: 'LivingPortrait',
    examples: [
      {
        images: ['https://example.com/shot-1.jpg', 'https://example.com/shot-2.jpg'],
        filter_id: 3,
        seconds: 3,
      },
    ],
  });

export const LivingPortraitParams = LivingPortraitFields.omit({
  images: true,
  input_images: true,
  video: true,
});
export type LivingPortraitParams = z.infer<typeof LivingPortraitParams>;

/** Which catalog the integers of a request are of. */
export function livingPortraitCatalog({
  filter_id,
  stylized,
}: {
  filter_id?: unknown;
  stylized?: boolean | undefined;
}): CatalogName {
  if (filter_id !== undefined) return 'face_swap';
  return stylized ? 'stylized' : 'realistic';
}

/** Whether everybody in the photos is in the portrait. */
export function isGroupPortrait({
  filter_id,
  gender,
}: {
  filter_id?: unknown;
  gender?: number | undefined;
}): boolean {
  return filter_id === undefined || isGroup(gender);
}
