import { z } from 'zod';
import { FilterType } from './catalogs.ts';
import { Gender, Uuid } from './common.ts';
import { CustomDefinition } from './filters.ts';

/** The product's own photos of test people. */
export const SamplePhoto = z
  .enum(['one_person', 'head', 'two_people', 'man', 'woman', 'older_woman'])
  .meta({ id: 'SamplePhoto' });
export type SamplePhoto = z.infer<typeof SamplePhoto>;

/** A filter that is not saved, and the photo to try it on; without one, that which shows such a filter well. */
export const FilterDraft = z
  .object({
    filter_type: FilterType,
    definition: CustomDefinition,
    sample: SamplePhoto.optional(),
    gender: Gender.optional(),
    photo_id: Uuid.optional().meta({ description: 'A photo of one of the caller’s photo sets' }),
  })
  .refine((draft) => draft.definition.kind !== 'template' || draft.filter_type === 'face_swap', {
    path: ['definition', 'kind'],
    error: 'a template is for filters of type face_swap',
  })
  .refine((draft) => draft.sample === undefined || draft.photo_id === undefined, {
    path: ['photo_id'],
    error: 'must not be given beside sample',
  })
  .meta({ id: 'FilterDraft' });
export type FilterDraft = z.infer<typeof FilterDraft>;

/** What a filter makes of a photo: a PNG in base64, and what of the filter was followed. */
export const FilterTestResult = z
  .object({ images: z.array(z.string()), applied: z.array(z.string()), ignored: z.array(z.string()) })
  .meta({ id: 'FilterTestResult' });
export type FilterTestResult = z.infer<typeof FilterTestResult>;
