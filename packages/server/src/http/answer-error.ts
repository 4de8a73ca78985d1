import { AppError } from '../errors.ts';
import { errorStatus } from './error-status.ts';

export const notFound = () => new AppError('NOT_FOUND', 'There is nothing at this path.');
export const methodNotAllowed = (allowed: readonly string[]) =>
  new AppError('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')} only.`, {
    headers: { allow: allowed.join(', ') },
  });
export const payloadTooLarge = () =>
  new AppError('PAYLOAD_TOO_LARGE', 'The request is larger than this endpoint takes.');

/** An error that callers may see: anything unknown says nothing of what went wrong inside. */
export function publicError(error: unknown): AppError {
  if (error instanceof AppError && errorStatus[error.code]) return error;
  return new AppError('INTERNAL_ERROR', 'Something went wrong on the server.', { cause: error });
}

/** The one shape of every error. */
export function errorText(error: AppError, requestId: string): string {
  return JSON.stringify({
    error_code: error.code,
    error: error.message,
    detail: error.message,
    request_id: requestId,
    ...(error.fields && { fields: error.fields }),
  });
}
