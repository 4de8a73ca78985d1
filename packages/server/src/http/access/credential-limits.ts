import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { rateLimited, rateLimitHeaders } from '../../errors.ts';
import { callerOf } from '../request.ts';

/** What one key of an event, or one guest of it, may ask for so often a minute: more than any booth or guest needs. */
const perMinute = { photo_checks: 60, prints: 30, mails: 10, print_previews: 60 } as const;
const minuteMs = 60_000;

export type CredentialAction = keyof typeof perMinute;
type CredentialLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Counts a request whose credentials are known, and throws `RATE_LIMITED` when nothing is left of its minute. */
export function createCredentialLimits(app: FastifyInstance): Record<CredentialAction, CredentialLimit> {
  const limitFor = (action: CredentialAction): CredentialLimit => {
    const limit = perMinute[action];
    const count = app.createRateLimit({ max: limit, timeWindow: minuteMs, keyGenerator: credentialOf });
    return async (request, reply) => {
      const counts = await count(request);
      if (counts.isAllowed) return;
      const quota = { limit, resetSeconds: counts.ttlInSeconds };
      if (!counts.isExceeded) {
        reply.headers(rateLimitHeaders(quota, counts.remaining));
        return;
      }
      throw rateLimited(
        `At most ${limit} ${action.replace('_', ' ')} a minute. Retry after ${counts.ttlInSeconds} s.`,
        quota,
      );
    };
  };
  return {
    photo_checks: limitFor('photo_checks'),
    prints: limitFor('prints'),
    mails: limitFor('mails'),
    print_previews: limitFor('print_previews'),
  };
}

function credentialOf(request: FastifyRequest): string {
  if (request.eventGuest) return request.eventGuest.guest.id;
  const { id, key_id } = callerOf(request);
  return key_id ?? id;
}
