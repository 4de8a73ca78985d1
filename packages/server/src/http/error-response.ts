import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError, isShortage } from '../errors.ts';
import { payloadTooLarge } from './bodies/body-errors.ts';
import { errorStatus } from './error-status.ts';
import type { ErrorAnswer } from './other-clients/error-answer.ts';
import { errorShapeOf } from './other-clients/error-shapes.ts';
import { overloaded } from './overload.ts';

/** What errors are answered with, for one server. */
export interface ErrorResponses {
  log: Logger;
  /** Connections that have had their last answer: whatever else is wrong with them gets no second one. */
  answered: WeakSet<Socket>;
}

/** The only place where an error's status is chosen. */
export function sendError(
  { log, answered }: ErrorResponses,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (reply.raw.headersSent || reply.raw.destroyed) {
    reply.hijack();
    reply.raw.destroy();
    return;
  }
  const known = publicError(error);
  if (known.code === 'INTERNAL_ERROR') log.error({ err: error, request_id: request.id }, 'request failed');
  const { status, headers, text } = errorAnswerOf(known, request);
  reply
    .code(status)
    .headers({ 'x-request-id': request.id, ...headers })
    .type(errorType);
  if (request.raw.complete || !hasBody(request.raw)) {
    reply.send(text);
    return;
  }
  // A body that was not read to its end cannot be followed by another request.
  answered.add(request.raw.socket);
  reply
    .headers({ connection: 'close', 'content-length': Buffer.byteLength(text) })
    .send(Readable.from(textThenRest(text, request.raw), { objectMode: false }));
}

export const errorType = 'application/json; charset=utf-8';

function errorAnswerOf(error: AppError, { id, url }: FastifyRequest): ErrorAnswer {
  const { status } = errorStatus[error.code]!;
  const write = errorShapeOf(url)?.write;
  return write ? write(error, status) : { status, headers: error.headers ?? {}, text: errorText(error, id) };
}

/** The one shape of every error, but for paths of other interfaces. */
export function errorText(error: AppError, requestId: string): string {
  return JSON.stringify({
    error_code: error.code,
    error: error.message,
    detail: error.message,
    request_id: requestId,
    ...(error.fields && { fields: error.fields }),
  });
}

/** An error that callers may see: anything unknown says nothing of what went wrong inside. */
export function publicError(error: unknown): AppError {
  if (error instanceof AppError && errorStatus[error.code]) return error;
  if (isShortage(error)) return overloaded(error);
  if ((error as { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE') return payloadTooLarge();
  return new AppError('INTERNAL_ERROR', 'Something went wrong on the server.', { cause: error });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** What a client gets to send the rest of a body that was refused, and how fast it is read: 16 MB a second. */
const drainMs = 10_000;
const drainBytes = 256 * 1024;
const drainPauseMs = 16;

/**
 * The answer, which ends when the request's body has. Python's clients and others read nothing before they have sent
 * their all: closed at once, they would see a broken pipe instead of the reason.
 */
async function* textThenRest(text: string, request: IncomingMessage): AsyncGenerator<string> {
  yield text;
  discardSlowly(request);
  await finished(request, { signal: AbortSignal.timeout(drainMs) }).catch(() => {});
}

/** Reads a body that nobody wants, in pauses: read at full speed, refused bodies would take the time of accepted ones. */
function discardSlowly(request: IncomingMessage): void {
  let read = 0;
  request.on('data', (chunk: Buffer) => {
    read += chunk.length;
    if (read < drainBytes) return;
    read = 0;
    request.pause();
    setTimeout(() => request.resume(), drainPauseMs);
  });
  request.resume();
}
