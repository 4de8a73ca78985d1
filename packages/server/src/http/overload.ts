import { getHeapStatistics } from 'node:v8';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** When requests are refused to save the process. */
export interface OverloadLimits {
  sampleIntervalMs: number;
  maxHeapUsedBytes: number;
}

/**
 * A process that has filled nine tenths of its heap is about to be ended by V8; normal load takes a few hundredths.
 * The delay of the event loop is no limit: it is known only when it is over, so one large body or a machine that was
 * busy with something else would have the requests after it refused.
 */
export const defaultOverloadLimits: OverloadLimits = {
  sampleIntervalMs: 1000,
  maxHeapUsedBytes: Math.floor(getHeapStatistics().heap_size_limit * 0.9),
};

export const overloaded = (cause?: unknown) =>
  new AppError('OVERLOADED', 'The server is overloaded. Retry after 5 s.', {
    headers: { 'retry-after': '5' },
    cause,
  });

/**
 * Answers 503 while the process is beyond its limits, except on routes that are answered even then. V8 is asked, and
 * not `process.memoryUsage()`, which opens a file: without a free descriptor it throws.
 */
export function refuseWhenOverloaded(app: FastifyInstance, limits: OverloadLimits): void {
  let isOverloaded = false;
  const sampling = setInterval(() => {
    isOverloaded = getHeapStatistics().used_heap_size > limits.maxHeapUsedBytes;
  }, limits.sampleIntervalMs).unref();
  app.addHook('onClose', async () => clearInterval(sampling));
  app.addHook('onRequest', (request, _reply, done) => {
    const isRefused = isOverloaded && !request.routeOptions.config.row?.answersWhenOverloaded;
    done(isRefused ? overloaded() : undefined);
  });
}
