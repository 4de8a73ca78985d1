import { AppError } from '../errors.ts';

/** The image, or the way to it, is no good: the sentence tells the caller what to change. */
export function invalidImage(sentence: string, cause?: unknown): AppError {
  return new AppError('INVALID_IMAGE', sentence, { cause });
}

/**
 * One sentence for every cause, so that nobody learns from it which names and addresses exist inside the
 * operator's network.
 */
export function urlNotAllowed(): AppError {
  return new AppError(
    'URL_NOT_ALLOWED',
    'The URL must be http or https, without a user name or password, and lead to a public address on port 80, 443 or above 1023.',
  );
}

export function damagedImage(cause?: unknown): AppError {
  return invalidImage('The image is damaged and cannot be read.', cause);
}

export function truncatedImage(): AppError {
  return invalidImage('The image is incomplete: its file ends too early.');
}
