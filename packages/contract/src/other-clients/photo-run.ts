import { z } from 'zod';
import { Gender, Integer, Prompt, Ratio, Seed } from '../common.ts';

/** What a call that sends a photo and gets a picture may say, all in its URL: booth software can set nothing else. */
export const PhotoQuery = z.object({
  answer: z
    .enum(['picture', 'json', 'multipart'])
    .optional()
    .meta({ description: 'What comes back, whatever `Accept` says' }),
  format: z.enum(['png', 'jpeg', 'webp']).optional().meta({ description: 'Of the picture' }),
  gender: Gender.optional(),
  ratio: Ratio.default('portrait'),
  prompt: Prompt.optional().meta({ description: 'For the filter `prompt`' }),
  seed: Seed.optional(),
  wait: Integer.min(1).max(600).default(300).meta({ description: 'Seconds' }),
  new: z.boolean().default(false).meta({
    description: 'Makes a new picture even where one of the same photo was made in the last 10 minutes',
  }),
});
export type PhotoQuery = z.infer<typeof PhotoQuery>;

export const PhotoForm = z
  .record(z.string(), z.unknown())
  .meta({ id: 'PhotoForm', description: 'The photo under any name; other fields are not used' });

export const PhotoResult = z
  .object({
    id: z.string(),
    status: z.literal('COMPLETED'),
    media_type: z.string(),
    output: z.object({ images: z.array(z.string()) }).optional(),
    url: z.string().meta({ description: 'A link to the PNG' }),
    applied: z.array(z.string()),
    ignored: z.array(z.string()),
  })
  .meta({ id: 'PhotoResult' });
export type PhotoResult = z.infer<typeof PhotoResult>;
