import { z } from 'zod';
import { FilterRef, Gender, ImageInput, Prompt, Ratio, RunOptions } from './common.ts';

export const qualityModes = ['v6', 'v6.1'] as const;

export const FaceSwapV5 = RunOptions.extend({
  base64: ImageInput,
  gender: Gender,
  filter_id: FilterRef,
  ratio: Ratio.default('portrait'),
});

export const FaceSwapV6 = FaceSwapV5.extend({
  quality_mode: z.string().default('v6.1').meta({ description: '`v6.1` (best) or `v6` (faster)' }),
});

const photo = { image: ImageInput.optional(), base64: ImageInput.optional() };

export const FaceSwapV1 = RunOptions.extend({
  ...photo,
  filter_id: FilterRef,
  gender: Gender.optional(),
  ratio: Ratio.default('portrait'),
}).refine((body) => (body.image ?? body.base64) !== undefined, { path: ['image'], error: 'is required' });

export const SelfPromptV2 = RunOptions.extend({
  ...photo,
  prompt: Prompt,
  gender: Gender.optional(),
  ratio: Ratio.default('portrait'),
});
