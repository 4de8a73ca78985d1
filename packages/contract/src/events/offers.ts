import { z } from 'zod';
import { CatalogName } from '../catalogs.ts';
import { FilterRef, Integer, Prompt } from '../common.ts';
import { LoopKindChoice } from '../families/living-portrait.ts';
import { aspectRatios, videoDurations, videoModels } from '../families/video.ts';
import { Labels, Slug, shownLabels } from './labels.ts';

const offered = { id: Slug, labels: Labels };
/** How many pictures one touch of a guest may make. */
export const takeLimits = { shots: 4, variations: 3 } as const;

const ofFilter = { ...offered, filter_id: FilterRef };
const shots = Integer.min(1).max(takeLimits.shots).default(1).meta({
  description: 'Photos that a booth takes one after the other. Each becomes a picture; a strip has all',
});
const ofPhotos = {
  ...ofFilter,
  shots,
  variations: z
    .array(FilterRef)
    .max(takeLimits.variations, `must hold at most ${takeLimits.variations} filters`)
    .default([])
    .meta({ description: 'Filters that the same photo is made with besides: the guest chooses one picture' }),
};

/** The kinds of offers, in the order of their fields. */
export const offerKinds = ['single', 'group', 'stylized', 'video', 'living_portrait', 'prompt'] as const;
/** The kinds as booths see them: a prompt is of whom the filters of its catalog are for. */
export const boothKinds = ['single', 'group', 'stylized', 'video', 'living_portrait'] as const;

/**
 * A filter, a video or a living portrait that guests may choose. `single` takes one person, `group` and `stylized`
 * everybody; a living portrait or a prompt is of whom the filters of its catalog are for. A living portrait takes a burst
 * of photos; prompts, also those of videos, have places for what the guest gave, such as `{guest.team}`.
 */
export const NewOffer = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('single'), ...ofPhotos }),
    z.object({ kind: z.literal('group'), ...ofPhotos }),
    z.object({ kind: z.literal('stylized'), ...ofPhotos }),
    z.object({
      kind: z.literal('video'),
      ...offered,
      prompt: Prompt,
      model: z.enum(videoModels),
      duration: z.enum(videoDurations),
      aspect_ratio: z.enum(aspectRatios).default('auto'),
    }),
    z.object({
      kind: z.literal('living_portrait'),
      ...ofFilter,
      catalog: CatalogName.default('face_swap').meta({ description: 'What `filter_id` is of' }),
      seconds: Integer.min(2).max(6).default(3),
      loop: LoopKindChoice.default('ping_pong'),
    }),
    z.object({
      kind: z.literal('prompt'),
      ...offered,
      prompt: Prompt,
      catalog: CatalogName.default('face_swap').meta({
        description: '`face_swap` is of one person, `realistic` and `stylized` are of everybody',
      }),
      shots,
    }),
  ])
  .refine((offer) => !('variations' in offer) || offer.shots === 1 || offer.variations.length === 0, {
    path: ['variations'],
    error: 'must be empty where there are several shots',
  })
  .meta({ id: 'NewOffer' });
export type Offer = z.infer<typeof NewOffer>;

/** How many photos an offer takes, and how many pictures it makes of one besides. One of them is 1 or 0. */
export function takeOf(offer: Offer): { shots: number; variations: number; pictures: number } {
  const count = 'shots' in offer ? offer.shots : 1;
  const variations = 'variations' in offer ? offer.variations.length : 0;
  return { shots: count, variations, pictures: count + variations };
}

const ShownFilterId = z.union([z.number().int(), z.string()]);
export const ShownOffer = z
  .object({
    id: z.string(),
    kind: z.enum(offerKinds),
    labels: shownLabels,
    filter_id: ShownFilterId.optional(),
    prompt: z.string().optional(),
    model: z.string().optional(),
    duration: z.string().optional(),
    aspect_ratio: z.string().optional(),
    catalog: z.string().optional(),
    seconds: z.number().int().optional(),
    loop: z.string().optional(),
    shots: z.number().int().optional(),
    variations: z.array(ShownFilterId).optional(),
  })
  .meta({ id: 'EventOffer' });
