import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rateLimited, rateLimitHeaders } from '../errors.ts';
import { callerOf } from './request.ts';

const minuteMs = 60_000;

/** What an account may start so often a minute. */
export type LimitedAction = 'runs' | 'tests';

/** Counts a request of the caller and says in `RateLimit` what is left; throws `RATE_LIMITED` when nothing is. */
export type AccountLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** At most so many of each in a minute, per account; none for 0, which is no limit. */
export async function createAccountLimits(
  app: FastifyInstance,
  perMinute: Record<LimitedAction, number>,
): Promise<Record<LimitedAction, AccountLimit | undefined>> {
  await app.register(rateLimit, { global: false });
  return {
    runs: createLimit(app, 'runs', perMinute.runs),
    tests: createLimit(app, 'tests', perMinute.tests),
  };
}

function createLimit(
  app: FastifyInstance,
  counted: LimitedAction,
  perMinute: number,
): AccountLimit | undefined {
  if (perMinute === 0) return undefined;
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: minuteMs,
    keyGenerator: (request) => callerOf(request).id,
  });
  return async (request, reply) => {
    const counts = await count(request);
    if (counts.isAllowed) return;
    const quota = { limit: perMinute, resetSeconds: counts.ttlInSeconds };
    if (!counts.isExceeded) {
      reply.headers(rateLimitHeaders(quota, counts.remaining));
      return;
    }
    throw rateLimited(
      `At most ${perMinute} ${counted} a minute. Retry after ${counts.ttlInSeconds} s.`,
      quota,
    );
  };
}
