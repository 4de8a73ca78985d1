import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
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

const overloaded = () =>
  new AppError('OVERLOADED', 'The server is overloaded. Retry after 5 s.', {
    headers: { 'retry-after': '5' },
  });

/** Answers 503 while the process is beyond its limits, except on routes that are answered even then. */
export async function refuseWhenOverloaded(app: FastifyInstance, limits: OverloadLimits): Promise<void> {
  await app.register(underPressure, {
    sampleInterval: limits.sampleIntervalMs,
    maxHeapUsedBytes: limits.maxHeapUsedBytes,
    pressureHandler: async () => {
      throw overloaded();
    },
  });
}
