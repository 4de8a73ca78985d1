import { getHeapStatistics } from 'node:v8';
import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** When requests are refused to save the ones under way. */
export interface OverloadLimits {
  /** How often the process is measured. */
  sampleIntervalMs: number;
  /** The mean delay of the event loop's turns between two measurements. */
  maxEventLoopDelayMs: number;
  maxHeapUsedBytes: number;
}

/**
 * Far above normal load. Parsing a 28 MB body delays one turn by tens of milliseconds, which is little in the mean of
 * five seconds; only turns of a second each, one after the other, reach the limit. Beyond nine tenths of its heap a
 * process is about to be ended by V8.
 */
export const defaultOverloadLimits: OverloadLimits = {
  sampleIntervalMs: 5000,
  maxEventLoopDelayMs: 1000,
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
    maxEventLoopDelay: limits.maxEventLoopDelayMs,
    maxHeapUsedBytes: limits.maxHeapUsedBytes,
    pressureHandler: async () => {
      throw overloaded();
    },
  });
}
