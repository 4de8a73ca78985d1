import { z } from 'zod';
import { FilterRef, ImageInput, Integer, Prompt, RunOptions } from './common.ts';

const styleFields = {
  style_id: FilterRef.optional(),
  filter_id: FilterRef.optional().meta({ description: 'Accepted for `style_id`' }),
};
const styleGiven = (body: { style_id?: unknown; filter_id?: unknown }) =>
  (body.style_id ?? body.filter_id) !== undefined;
const styleMissing = { path: ['style_id'], error: 'is required' };

export const MultiSwapV5 = RunOptions.extend({
  input_image: ImageInput,
  ...styleFields,
  outpaint: z.boolean(),
}).refine(styleGiven, styleMissing);

export const StylizedMultiSwap = RunOptions.extend({
  input_image: ImageInput,
  ...styleFields,
  outpaint: z.boolean().default(false),
}).refine(styleGiven, styleMissing);

const Photos = z.array(ImageInput).min(1, 'must hold 1 to 5 images').max(5, 'must hold 1 to 5 images');

export const MultiSwapSelfPrompt = RunOptions.extend({
  prompt: Prompt,
  input_image: ImageInput.optional(),
  input_images: Photos.optional(),
  outpaint: z.boolean().default(false),
}).refine((body) => (body.input_image ?? body.input_images) !== undefined, {
  path: ['input_image'],
  error: 'is required',
});

export const MultiSwapV4 = RunOptions.extend({ filter_id: Integer, input_images: Photos });
