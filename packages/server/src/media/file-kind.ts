import { burstLimits } from '@guise/contract/families/living-portrait.ts';
import type { AppError } from '../errors.ts';
import { invalidImage, invalidVideo } from './image-errors.ts';
import { imageLimits } from './inspect-image.ts';

/** What callers send files of. */
export interface FileKind {
  noun: 'image' | 'video';
  maxBytes: number;
  /** A data URI of one begins like this. */
  example: string;
  accept: string;
  invalid(sentence: string, cause?: unknown): AppError;
}

export const imageKind: FileKind = {
  noun: 'image',
  maxBytes: imageLimits.bytes,
  example: 'data:image/jpeg;base64',
  accept: 'image/jpeg, image/png, image/webp',
  invalid: invalidImage,
};

export const videoKind: FileKind = {
  noun: 'video',
  maxBytes: burstLimits.videoBytes,
  example: 'data:video/mp4;base64',
  accept: 'video/mp4, video/quicktime, video/webm',
  invalid: invalidVideo,
};

export function tooLarge({ noun, maxBytes, invalid }: FileKind): AppError {
  return invalid(`The ${noun} is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`);
}
