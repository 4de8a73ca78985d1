import { AppError } from '../errors.ts';

/** The database or the bucket cannot be reached, or has a fault of its own. */
export function storageUnavailable(cause: unknown): AppError {
  return new AppError('STORAGE_UNAVAILABLE', 'The server cannot reach its storage. Retry after 2 s.', {
    cause,
    retryable: true,
    headers: { 'retry-after': '2' },
  });
}
