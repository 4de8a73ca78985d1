import { qualityModes } from '@guise/contract/face-swap.ts';
import { aspectRatios, videoDurations, videoModels } from '@guise/contract/video.ts';
import { AppError } from '../errors.ts';

/** Enumerations whose wrong values have error codes of their own; they are checked after the shape, in this order. */

export function checkQualityMode(params: { quality_mode: string }): void {
  if (!isOne(qualityModes, params.quality_mode)) {
    throw new AppError('INVALID_QUALITY_MODE', 'quality_mode must be v6 or v6.1.');
  }
}

export function checkSingleFrame(params: { model: string; aspect_ratio: string; duration: string }): void {
  if (!isOne(videoModels, params.model)) throw invalidModel(`model must be ${listed(videoModels)}.`);
  if (!isOne(aspectRatios, params.aspect_ratio)) {
    throw invalidAspectRatio(`aspect_ratio must be ${listed(aspectRatios)}.`);
  }
  if (params.aspect_ratio !== 'auto' && params.model !== 'performance') {
    throw invalidAspectRatio('An aspect_ratio other than auto needs the model performance.');
  }
  checkDuration(params.duration);
  if (params.model === 'simple' && params.duration !== '4s') {
    throw invalidDuration('The model simple makes videos of 4s only.');
  }
}

export function checkFirstLast(params: { model: string; duration: string }): void {
  if (params.model !== 'advanced')
    throw invalidModel('model must be advanced for first and last frame videos.');
  checkDuration(params.duration);
}

function checkDuration(duration: string): void {
  if (!isOne(videoDurations, duration)) throw invalidDuration(`duration must be ${listed(videoDurations)}.`);
}

const invalidModel = (sentence: string) => new AppError('INVALID_VIDEO_MODEL', sentence);
const invalidAspectRatio = (sentence: string) => new AppError('INVALID_ASPECT_RATIO_FOR_MODEL', sentence);
const invalidDuration = (sentence: string) => new AppError('INVALID_DURATION_FOR_MODEL', sentence);

const isOne = (values: readonly string[], value: string) => values.includes(value);
const listed = (values: readonly string[]) => `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
