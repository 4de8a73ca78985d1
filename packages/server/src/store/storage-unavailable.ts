import { AppError } from '../errors.ts';

/** The database or the bucket cannot be reached, or has a fault of its own. */
export function storageUnavailable(cause: unknown): AppError {
  return new AppError('STORAGE_UNAVAILABLE', 'The server cannot reach its storage. Retry after 2 s.', {
    cause,
    retryable: true,
    headers: { 'retry-after': '2' },
  });
}

/** The disk is full, or the quota or the file size that the process may use. What was being written is not there. */
export class StorageFull extends AppError {
  constructor(cause?: unknown) {
    super('STORAGE_UNAVAILABLE', 'The storage of the server is full. Retry after 30 s.', {
      cause,
      retryable: true,
      headers: { 'retry-after': '30' },
    });
  }
}

/** Whether the storage is away or full. Then nothing can be stored now, and everything can be later. */
export function isStorageAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'STORAGE_UNAVAILABLE';
}

const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE']);

/** Whether something could not be written because there is no space for it. */
export function isFull(error: unknown): boolean {
  return error instanceof StorageFull || fullCodes.has(String((error as { code?: unknown } | null)?.code));
}

/** For what writes to a disk. */
export function rethrowDiskError(error: Error & { code?: unknown }): never {
  throw isFull(error) ? new StorageFull(error) : error;
}
