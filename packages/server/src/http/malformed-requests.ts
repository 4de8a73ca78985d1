import type { Socket } from 'node:net';
import { AppError } from '../errors.ts';
import { errorText, errorType } from './error-response.ts';

/** How long a refused client may take to read the reason. */
const lingerMs = 1000;

/** Answers what never becomes a request, such as broken HTTP or headers that take too long, in the shape of every error. */
export function answerMalformed(
  answered: WeakSet<Socket>,
  requestId: string,
  error: NodeJS.ErrnoException,
  socket: Socket,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answered.has(socket)) {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const sentence = late ? 'The request took too long to arrive.' : 'The request is not valid HTTP.';
  const text = errorText(new AppError('VALIDATION_ERROR', sentence), requestId);
  const head = [
    `HTTP/1.1 ${late ? '408 Request Timeout' : '400 Bad Request'}`,
    `content-type: ${errorType}`,
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  // A client that neither reads the answer nor hangs up would keep its half of the connection open.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
