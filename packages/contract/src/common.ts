import { z } from 'zod';
import { errorCodes } from './error-codes.ts';
import { Text } from './texts.ts';

export const Integer = z.int('must be an integer');

/** Raw base64, a `data:` URI or an http(s) URL. What it holds is checked later, as an image and not as a field. */
export const ImageInput = z.string().meta({ description: 'Base64 image, data URI or public URL' });

export const Uuid = z
  .string()
  .trim()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, 'must be a UUID')
  .transform((value) => value.toLowerCase());

/** A catalog filter by its integer, a custom filter or an alias by its UUID. */
export const FilterRef = z.union([Integer, Uuid], 'must be an integer or a UUID');
export type FilterRef = z.infer<typeof FilterRef>;

/** 0 male, 1 female, 2 boy, 3 girl, 4 group. */
export const Gender = Integer.min(0).max(4).meta({
  description: '0 = male, 1 = female, 2 = boy, 3 = girl, 4 = group',
});

/** Whether a run is of everybody in the photo. */
export const groupGender = 4;
export const isGroup = (gender: number | undefined): boolean => gender === groupGender;

export const Ratio = z.enum(['portrait', 'landscape', 'square']).meta({ id: 'Ratio' });
export type Ratio = z.infer<typeof Ratio>;

export const Prompt = Text.transform((text) => text.replaceAll('\r\n', '\n').trim()).pipe(
  z
    .string()
    .min(1, 'must not be empty')
    .max(2000, 'must have at most 2,000 characters')
    .refine((text) => !/[^\P{Cc}\n]/u.test(text), 'must not hold control characters'),
);

/** The same prompt, photo and seed give the same picture. */
export const Seed = Integer.min(0).max(4_294_967_295);

const ErrorCode = z.enum(Object.keys(errorCodes)).meta({ id: 'ErrorCode' });

export const ErrorBody = z
  .object({
    // Later versions have further codes.
    error_code: z.union([ErrorCode, z.string()]),
    error: z.string().meta({ description: 'One sentence for a person' }),
    detail: z.string().meta({ description: 'The same sentence' }),
    request_id: z.string(),
    fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({
    id: 'ErrorBody',
    examples: [
      {
        error_code: 'FILTER_NOT_FOUND',
        error: 'There is no filter 999.',
        detail: 'There is no filter 999.',
        request_id: 'k3f9-1',
      },
    ],
  });

/** Stored as it was parsed, which may be longer. */
export const WebhookUrl = Text.max(2048);

/** What every run endpoint takes beside its own fields. */
export const RunOptions = z.object({
  seed: Seed.optional(),
  webhook_url: WebhookUrl.optional().meta({ description: 'Told by a signed POST when the job has ended' }),
});
