import { z } from 'zod';
import { FilterRef, ImageInput, Integer, Prompt, RunOptions } from '../common.ts';

const styleFields = {
  style_id: FilterRef.optional(),
  filter_id: FilterRef.optional().meta({ description: 'Accepted for `style_id`' }),
};
const styleGiven = (body: { style_id?: unknown; filter_id?: unknown }) =>
  (body.style_id ?? body.filter_id) !== undefined;
const styleMissing = { path: ['style_id'], error: 'is required' };

const Outpaint = z.boolean('must be true or false');

const MultiSwapFields = RunOptions.extend({
  input_image: ImageInput,
  ...styleFields,
  outpaint: Outpaint,
});
export const MultiSwapV5 = MultiSwapFields.refine(styleGiven, styleMissing).meta({
  id: 'MultiSwapV5',
  examples: [{ input_image: 'https://example.com/guest.jpg', style_id: 3, outpaint: false }],
});

export const StylizedMultiSwap = MultiSwapFields.extend({ outpaint: Outpaint.default(false) })
  .refine(styleGiven, styleMissing)
  .meta({
    id: 'StylizedMultiSwap',
    examples: [{ input_image: 'https://example.com/guest.jpg', style_id: 4 }],
  });

export const MultiSwapV3 = MultiSwapFields.extend({
  outpaint: Outpaint.default(false),
  overlay: z
    .unknown()
    .optional()
    .transform((overlay) => (overlay ? true : undefined))
    .meta({ description: 'Accepted and not used' }),
})
  .refine(styleGiven, styleMissing)
  .meta({ id: 'MultiSwapV3', examples: [{ input_image: 'https://example.com/guest.jpg', style_id: 3 }] });

const Photos = z.array(ImageInput).min(1, 'must hold 1 to 5 images').max(5, 'must hold 1 to 5 images');

const SelfPromptFields = RunOptions.extend({
  prompt: Prompt,
  input_image: ImageInput.optional(),
  input_images: Photos.optional(),
  outpaint: Outpaint.default(false),
});
export const MultiSwapSelfPrompt = SelfPromptFields.refine(
  (body) => (body.input_image ?? body.input_images) !== undefined,
  { path: ['input_image'], error: 'is required' },
).meta({
  id: 'MultiSwapSelfPrompt',
  examples: [{ prompt: 'in a neon city', input_image: 'https://example.com/guest.jpg' }],
});

export const MultiSwapV4 = RunOptions.extend({ filter_id: Integer, input_images: Photos }).meta({
  id: 'MultiSwapV4',
  examples: [{ filter_id: 3, input_images: ['https://example.com/guest.jpg'] }],
});

/** Realistic and stylized alike. */
export const MultiSwapParams = MultiSwapFields.omit({ input_image: true });
export const MultiSwapV3Params = MultiSwapParams.extend({ overlay: z.literal(true).optional() });
export const MultiSwapSelfPromptParams = SelfPromptFields.omit({ input_image: true, input_images: true });
export const MultiSwapV4Params = MultiSwapV4.omit({ input_images: true }).extend({
  filter_id: Integer.optional(),
});
