import { z } from 'zod';
import { CatalogName } from '../catalogs.ts';
import { FilterRef, Integer, Prompt } from '../common.ts';
import { LoopKindChoice } from '../families/living-portrait.ts';
import { aspectRatios, videoDurations, videoModels } from '../families/video.ts';
import { Labels, Slug, shownLabels } from './labels.ts';

const offered = { id: Slug, labels: Labels };
const ofFilter = { ...offered, filter_id: FilterRef };

/** The kinds of offers, in the order of their fields. */
export const offerKinds = ['single', 'group', 'stylized', 'video', 'living_portrait'] as const;

/**
 * A filter, a video or a living portrait that guests may choose. `single` takes one person, `group` and `stylized`
 * everybody; a living portrait is of whom the filters of its catalog are for, and takes a burst of photos.
 */
export const NewOffer = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('single'), ...ofFilter }),
    z.object({ kind: z.literal('group'), ...ofFilter }),
    z.object({ kind: z.literal('stylized'), ...ofFilter }),
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
  ])
  .meta({ id: 'NewOffer' });
export type Offer = z.infer<typeof NewOffer>;

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
  })
  .meta({ id: 'EventOffer' });
