import { z } from 'zod';
import { ImageInput, Prompt, RunOptions } from './common.ts';

export const videoModels = ['simple', 'advanced', 'performance'] as const;
export const videoDurations = ['4s', '6s', '8s'] as const;
export const aspectRatios = ['auto', '16:9', '9:16', '3:2', '2:3'] as const;

/** Values outside these lists have error codes of their own, so the shape asks only for text. */
const choice = (values: readonly string[]) => z.string().meta({ description: `One of ${values.join(', ')}` });

export const SingleFrameVideo = RunOptions.extend({
  prompt_image: ImageInput,
  prompt: Prompt,
  model: choice(videoModels),
  duration: choice(videoDurations),
  aspect_ratio: choice(aspectRatios).default('auto'),
});

export const FirstLastFrameVideo = RunOptions.extend({
  first_frame: ImageInput,
  last_frame: ImageInput,
  prompt: Prompt,
  model: choice(['advanced']),
  duration: choice(videoDurations),
});
