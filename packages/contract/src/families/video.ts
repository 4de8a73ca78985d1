import { z } from 'zod';
import { ImageInput, Prompt, RunOptions } from '../common.ts';
import type { CodedProblem } from '../error-codes.ts';
import { isOne, listed } from './choices.ts';

export const videoModels = ['simple', 'advanced', 'performance'] as const;
export type VideoModel = (typeof videoModels)[number];
export const videoDurations = ['4s', '6s', '8s'] as const;
export type Duration = (typeof videoDurations)[number];
export const aspectRatios = ['auto', '16:9', '9:16', '3:2', '2:3'] as const;
export type AspectRatio = (typeof aspectRatios)[number];

export const secondsOf = (duration: Duration): number => Number.parseInt(duration, 10);

/** Values outside these lists have error codes of their own, so the shape asks only for text. */
const choice = (values: readonly string[], id?: string) =>
  z.string().meta({ enum: values, ...(id && { id }) });
const ModelChoice = choice(videoModels, 'VideoModel');
const DurationChoice = choice(videoDurations, 'Duration');
const AspectRatioChoice = choice(aspectRatios, 'AspectRatio');

export const SingleFrameVideo = RunOptions.extend({
  prompt_image: ImageInput,
  prompt: Prompt,
  model: ModelChoice,
  duration: DurationChoice,
  aspect_ratio: AspectRatioChoice.default('auto'),
}).meta({
  id: 'SingleFrameVideo',
  examples: [
    { prompt_image: 'https://example.com/guest.jpg', prompt: 'slow zoom', model: 'advanced', duration: '6s' },
  ],
});

export const SingleFrameParams = SingleFrameVideo.omit({ prompt_image: true }).extend({
  model: z.enum(videoModels),
  duration: z.enum(videoDurations),
  aspect_ratio: z.enum(aspectRatios).default('auto'),
});

export const FirstLastFrameVideo = RunOptions.extend({
  first_frame: ImageInput,
  last_frame: ImageInput,
  prompt: Prompt,
  model: choice(['advanced']),
  duration: DurationChoice,
}).meta({
  id: 'FirstLastFrameVideo',
  examples: [
    {
      first_frame: 'https://example.com/guest.jpg',
      last_frame: 'https://example.com/guest.jpg',
      prompt: 'fade',
      model: 'advanced',
      duration: '4s',
    },
  ],
});

export const FirstLastFrameParams = FirstLastFrameVideo.omit({ first_frame: true, last_frame: true }).extend({
  model: z.literal('advanced'),
  duration: z.enum(videoDurations),
});

export function checkSingleFrame(body: z.infer<typeof SingleFrameVideo>): CodedProblem | null {
  const { model, aspect_ratio, duration } = body;
  if (!isOne(videoModels, model)) return invalidModel(`model must be ${listed(videoModels)}.`);
  if (!isOne(aspectRatios, aspect_ratio))
    return invalidAspectRatio(`aspect_ratio must be ${listed(aspectRatios)}.`);
  if (aspect_ratio !== 'auto' && model !== 'performance')
    return invalidAspectRatio('An aspect_ratio other than auto needs the model performance.');
  const problem = checkDuration(duration);
  if (problem) return problem;
  return model === 'simple' && duration !== '4s'
    ? invalidDuration('The model simple makes videos of 4s only.')
    : null;
}

export function checkFirstLast(body: z.infer<typeof FirstLastFrameVideo>): CodedProblem | null {
  return body.model === 'advanced'
    ? checkDuration(body.duration)
    : invalidModel('model must be advanced for first and last frame videos.');
}

function checkDuration(duration: string): CodedProblem | null {
  return isOne(videoDurations, duration)
    ? null
    : invalidDuration(`duration must be ${listed(videoDurations)}.`);
}

const invalidModel = (sentence: string) => ({ code: 'INVALID_VIDEO_MODEL', sentence }) as const;
const invalidAspectRatio = (sentence: string) =>
  ({ code: 'INVALID_ASPECT_RATIO_FOR_MODEL', sentence }) as const;
const invalidDuration = (sentence: string) => ({ code: 'INVALID_DURATION_FOR_MODEL', sentence }) as const;
