import { AppError } from '../errors.ts';

/** The image is not acceptable or could not be fetched. The sentence tells the caller what to change. */
export function invalidImage(sentence: string, cause?: unknown): AppError {
  return new AppError('INVALID_IMAGE', sentence, { cause });
}

/** The same of a video. */
export function invalidVideo(sentence: string, cause?: unknown): AppError {
  return new AppError('INVALID_VIDEO', sentence, { cause });
}

export function damagedImage(cause?: unknown): AppError {
  return invalidImage('The image is damaged and cannot be read.', cause);
}

/** Each part costs some time, and 20 MB can hold millions of them. */
export function tooManyParts(): AppError {
  return invalidImage('The image consists of too many parts. Save it again.');
}

export function truncatedImage(): AppError {
  return invalidImage('The image is incomplete: the file ends too early.');
}
