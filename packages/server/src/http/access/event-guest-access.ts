import { guestHeader } from '@guise/contract/events/event-guests.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { findGuest } from '../../events/event-pictures.ts';
import type { HttpParts } from '../parts.ts';
import { createAddressLimit } from './address-limit.ts';

const notValid = () => new AppError('GUEST_NOT_FOUND', 'This page is not there any more.');

/** From one address in a minute: the phones of all guests of a venue may share one. */
export const guestsPerMinute = 1200;

/** What guests see is for them: no cache between keeps it, and no search engine lists it. */
export const privateHeaders = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } as const;

/** Checks requests of the guests of events: first how many come from the address, guesses included. */
export function createEventGuestAccess(
  app: FastifyInstance,
  { db, guestTokens }: Pick<HttpParts, 'db' | 'guestTokens'>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  const limit = createAddressLimit(app, guestsPerMinute);
  return async (request, reply) => {
    reply.headers(privateHeaders);
    await limit(request);
    const token = request.headers[guestHeader.toLowerCase()];
    const id = typeof token === 'string' ? guestTokens.read(token) : undefined;
    if (id === undefined) throw notValid();
    request.eventGuest = await findGuest(db, id);
  };
}
