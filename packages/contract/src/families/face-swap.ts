import { z } from 'zod';
import { FilterRef, Gender, groupGender, ImageInput, Integer, Prompt, Ratio, RunOptions } from '../common.ts';
import type { CodedProblem } from '../error-codes.ts';
import { isOne } from './choices.ts';

export const qualityModes = ['v6', 'v6.1'] as const;
export type QualityMode = (typeof qualityModes)[number];

export const FaceSwapV5 = RunOptions.extend({
  base64: ImageInput,
  gender: Gender,
  filter_id: FilterRef,
  ratio: Ratio.default('portrait'),
}).meta({
  id: 'FaceSwapV5',
  examples: [{ base64: 'https://example.com/guest.jpg', gender: 1, filter_id: 12 }],
});

export const FaceSwapV6 = FaceSwapV5.extend({
  quality_mode: z
    .string()
    .meta({ id: 'QualityMode', enum: qualityModes, description: '`v6.1` (best) or `v6` (faster)' })
    .default('v6.1'),
}).meta({
  id: 'FaceSwapV6',
  examples: [{ base64: 'https://example.com/guest.jpg', gender: 1, filter_id: 12, ratio: 'portrait' }],
});

export function checkQualityMode({ quality_mode }: z.infer<typeof FaceSwapV6>): CodedProblem | null {
  return isOne(qualityModes, quality_mode)
    ? null
    : { code: 'INVALID_QUALITY_MODE', sentence: 'quality_mode must be v6 or v6.1.' };
}

const photo = { image: ImageInput.optional(), base64: ImageInput.optional() };

const FaceSwapV1Fields = RunOptions.extend({
  ...photo,
  filter_id: FilterRef,
  gender: Gender.optional(),
  ratio: Ratio.default('portrait'),
});

export const FaceSwapV1 = FaceSwapV1Fields.refine((body) => (body.image ?? body.base64) !== undefined, {
  path: ['image'],
  error: 'is required',
}).meta({ id: 'FaceSwapV1', examples: [{ image: 'https://example.com/guest.jpg', filter_id: 12 }] });

/** The capture mode of a group; clients of this path send other numbers for one person. */
const groupCapture = 1;

/** What clients that are older than `gender` 4 send. */
export const FaceSwapCapture = RunOptions.extend({
  base64: ImageInput,
  filter_id: FilterRef,
  gender: Gender.optional(),
  capture_mode: Integer.optional().meta({
    description: '0 = one person, 1 = group; `gender` decides where it is given',
  }),
  ratio: Ratio.default('portrait'),
})
  .transform(({ capture_mode, gender, ...body }) => ({
    ...body,
    gender: gender ?? (capture_mode === groupCapture ? groupGender : undefined),
  }))
  .meta({
    id: 'FaceSwapCapture',
    examples: [{ base64: 'https://example.com/guest.jpg', filter_id: 12, capture_mode: 0 }],
  });

export const SelfPromptV2 = RunOptions.extend({
  ...photo,
  prompt: Prompt,
  gender: Gender.optional(),
  ratio: Ratio.default('portrait'),
}).meta({
  id: 'SelfPromptV2',
  examples: [{ prompt: 'on a mountain at sunrise', image: 'https://example.com/guest.jpg' }],
});

/** Previews name no filter: theirs is given by its definition. */
const filter_id = FilterRef.optional();

export const FaceSwapV5Params = FaceSwapV5.omit({ base64: true }).extend({ filter_id });
export const FaceSwapV6Params = FaceSwapV5Params.extend({ quality_mode: z.enum(qualityModes).optional() });
export const FaceSwapV1Params = FaceSwapV1Fields.omit({ image: true, base64: true }).extend({ filter_id });
export const SelfPromptParams = SelfPromptV2.omit({ image: true, base64: true });
