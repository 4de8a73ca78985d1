import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../errors.ts';
import { errorStatus } from './error-status.ts';

export const notFound = () => new AppError('NOT_FOUND', 'There is nothing at this path.');
export const methodNotAllowed = (allowed: readonly string[]) =>
  new AppError('METHOD_NOT_ALLOWED', `This path takes ${allowed.join(', ')} only.`, {
    headers: { allow: allowed.join(', ') },
  });

/** The one shape of every error, and the only place where a status is chosen. */
export function errorAnswers(log: Logger) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const known = translated(error);
    const { status } = errorStatus[known.code]!;
    if (known.code === 'INTERNAL_ERROR') {
      log.error({ err: error, request_id: request.id, route: request.routeOptions?.url }, 'request failed');
    }
    if (known.headers) reply.headers(known.headers);
    // A body that was not read to its end cannot be followed by another request.
    if (!request.raw.complete && hasBody(request)) reply.header('connection', 'close');
    reply
      .code(status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(errorBody(known, request.id)));
  };
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export function errorBody(error: AppError, requestId: string) {
  return {
    error_code: error.code,
    error: error.message,
    detail: error.message,
    request_id: requestId,
    ...(error.fields && { fields: error.fields }),
  };
}

/** Fastify's own refusals in our words; anything unknown says nothing of what went wrong inside. */
function translated(error: unknown): AppError {
  if (error instanceof AppError && errorStatus[error.code]) return error;
  const status = (error as Partial<FastifyError>)?.statusCode;
  if (status === 413) return payloadTooLarge();
  if (status === 404 || status === 414) return notFound();
  if (status !== undefined && status >= 400 && status < 500) {
    return new AppError('VALIDATION_ERROR', 'The request could not be understood.');
  }
  return new AppError('INTERNAL_ERROR', 'Something went wrong on the server.', { cause: error });
}

export function payloadTooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', 'The request is larger than this endpoint takes.');
}
