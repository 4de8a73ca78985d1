import { guestHeader } from '@guise/contract/event-guests.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../../accounts/login-failures.ts';
import { AppError, rateLimited } from '../../errors.ts';
import { findGuest } from '../../jobs/booth/event-pictures.ts';
import type { HttpParts } from '../parts.ts';

const notValid = () => new AppError('GUEST_NOT_FOUND', 'This page is not there any more.');

/** From one address in a minute: the phones of all guests of a venue may share one. */
const perMinute = 1200;

/** Checks requests of the guests of events: first how many come from the address, guesses included. */
export function createEventGuestAccess(
  app: FastifyInstance,
  { db, guestTokens }: Pick<HttpParts, 'db' | 'guestTokens'>,
): (request: FastifyRequest) => Promise<void> {
  const count = app.createRateLimit({
    max: perMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => networkOf(request.ip),
  });
  return async (request) => {
    const counts = await count(request);
    if (!counts.isAllowed && counts.isExceeded) {
      const resetSeconds = counts.ttlInSeconds;
      throw rateLimited(`Too many requests. Try again in ${resetSeconds} s.`, {
        limit: perMinute,
        resetSeconds,
      });
    }
    const token = request.headers[guestHeader.toLowerCase()];
    const id = typeof token === 'string' ? guestTokens.read(token) : undefined;
    if (id === undefined) throw notValid();
    request.eventGuest = await findGuest(db, id);
  };
}
