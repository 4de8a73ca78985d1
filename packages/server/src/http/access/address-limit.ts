import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../../accounts/login-failures.ts';
import { rateLimited } from '../../errors.ts';

const minuteMs = 60_000;

/** Throws `RATE_LIMITED` beyond so many requests of one address in a minute. */
export function createAddressLimit(
  app: FastifyInstance,
  perMinute: number,
): (request: FastifyRequest) => Promise<void> {
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: minuteMs,
    keyGenerator: (request) => networkOf(request.ip),
  });
  return async (request) => {
    const counts = await count(request);
    if (counts.isAllowed || !counts.isExceeded) return;
    const resetSeconds = counts.ttlInSeconds;
    throw rateLimited(`Too many requests. Try again in ${resetSeconds} s.`, {
      limit: perMinute,
      resetSeconds,
    });
  };
}
