import { z } from 'zod';
import { Gender, ImageInput, Integer, Prompt, Seed } from '../common.ts';
import { Text } from '../texts.ts';

// The requests and answers of OpenAI's image endpoints. Fields that are not listed are accepted and not used.

/** Pictures of one request: each is a job of its own. */
export const mostImages = 10;
export const mostEditedPhotos = 5;

const size = z
  .string()
  .regex(/^(auto|[1-9]\d{1,4}x[1-9]\d{1,4})$/, 'must be auto, or width and height such as 1024x1536')
  .optional()
  .meta({ description: 'The nearest of 1200×1800, 1800×1200 and 1280×1280 is made' });

const ImageOptions = z.object({
  model: Text.max(300)
    .optional()
    .meta({ description: 'A filter, style or alias; a name of OpenAI’s own models stands for the prompt' }),
  n: Integer.min(1).max(mostImages).optional(),
  size,
  response_format: z.enum(['b64_json', 'url']).optional(),
  output_format: z.enum(['png', 'jpeg', 'webp']).optional(),
  output_compression: Integer.min(0).max(100).optional(),
  stream: z.boolean().optional(),
  gender: Gender.optional(),
  seed: Seed.optional(),
});
export type ImageOptions = z.infer<typeof ImageOptions>;

export const ImageGeneration = ImageOptions.extend({ prompt: Prompt }).meta({ id: 'ImageGeneration' });

const photosSentence = `must hold 1 to ${mostEditedPhotos} photos`;

export const ImageEdit = ImageOptions.extend({
  image: z
    .array(ImageInput)
    .min(1, photosSentence)
    .max(mostEditedPhotos, photosSentence)
    .meta({ description: 'Files, in `image` or `image[]`' }),
  prompt: z
    .string()
    .optional()
    .transform((text) => text?.trim() || undefined)
    .pipe(Prompt.optional())
    .meta({ description: 'Used where no filter is named' }),
}).meta({ id: 'ImageEdit' });

const ImageData = z.object({
  b64_json: z.string().optional(),
  url: z.string().optional(),
  job_id: z.string().meta({ description: 'The job that made it' }),
  applied: z.array(z.string()).meta({ description: 'What of the request was followed' }),
  ignored: z.array(z.string()).meta({ description: 'What was not' }),
});

export const ImagesResult = z
  .object({
    created: z.int(),
    data: z.array(ImageData),
    output_format: z.string(),
    size: z.string().optional(),
    failed: z
      .array(z.object({ message: z.string(), code: z.string() }))
      .optional()
      .meta({ description: 'What became of the others, where some of `n` could be made' }),
  })
  .meta({ id: 'ImagesResult' });

export const OpenAiError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: 'OpenAiError' });

export const OpenAiModel = z
  .object({
    id: z.string(),
    object: z.literal('model'),
    created: z.int(),
    owned_by: z.string(),
  })
  .meta({ id: 'OpenAiModel' });
export type OpenAiModel = z.infer<typeof OpenAiModel>;

export const OpenAiModels = z
  .object({ object: z.literal('list'), data: z.array(OpenAiModel) })
  .meta({ id: 'OpenAiModels' });
