import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { HttpParts } from './parts.ts';

/** As nginx logs a client that hung up before it was answered. */
const clientClosedRequest = 499;

/**
 * Counts the answer and, at level `info`, writes a line about it, when its connection is done with it. Fastify's
 * `onResponse` is not called when the client hangs up; `close` always comes. Bodies, queries, ids in paths and
 * credentials are never logged.
 */
export function recordResponse(
  { log, metrics }: Pick<HttpParts, 'log' | 'metrics'>,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const started = performance.now();
  reply.raw.on('close', () => {
    const ms = performance.now() - started;
    const { method } = request;
    const route = request.routeOptions.config.row?.path ?? 'none';
    const status = reply.raw.headersSent ? reply.raw.statusCode : clientClosedRequest;
    metrics.recordAnswer({ route, method, status, seconds: ms / 1000 });
    if (!log.isLevelEnabled('info')) return;
    const line = {
      request_id: request.id,
      method,
      route,
      status,
      duration_ms: Math.round(ms * 10) / 10,
      bytes: Number(reply.getHeader('content-length') ?? 0),
      account_id: request.caller?.id,
      ...(!reply.raw.writableFinished && { aborted: true }),
    };
    log.info(line, 'request');
  });
}

/** What Fastify itself logs: answers that break off because of the server. Each request's line is written above. */
export class BrokenAnswerLog extends LogController {
  readonly #log: Logger;

  constructor(log: Logger) {
    super();
    this.#log = log;
  }

  override incomingRequest(): void {}

  override streamError(error: NodeJS.ErrnoException, request: FastifyRequest): void {
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    this.#log.error({ err: error, request_id: request.id }, 'answer broke off');
  }
}
