import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rateLimited, rateLimitHeaders } from '../errors.ts';
import { callerOf } from './request.ts';

const minuteMs = 60_000;

/** Counts a run of the caller and says in `RateLimit` what is left; throws `RATE_LIMITED` when nothing is. */
export type RunLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** At most so many runs in a minute, per account; undefined for 0, which is no limit. */
export async function createRunLimit(app: FastifyInstance, perMinute: number): Promise<RunLimit | undefined> {
  if (perMinute === 0) return undefined;
  await app.register(rateLimit, { global: false });
  const countRun = app.createRateLimit({
    max: perMinute,
    timeWindow: minuteMs,
    keyGenerator: (request) => callerOf(request).id,
  });
  return async (request, reply) => {
    const run = await countRun(request);
    if (run.isAllowed) return;
    const quota = { limit: perMinute, resetSeconds: run.ttlInSeconds };
    if (!run.isExceeded) {
      reply.headers(rateLimitHeaders(quota, run.remaining));
      return;
    }
    throw rateLimited(`At most ${perMinute} runs a minute. Retry after ${run.ttlInSeconds} s.`, quota);
  };
}
