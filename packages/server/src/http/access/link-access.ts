import { galleryHeader, wallHeader } from '@guise/contract/booth/event-guests.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { settingsOf } from '../../jobs/booth/booth-events.ts';
import type { Place } from '../../jobs/booth/consent.ts';
import { isShown } from '../../jobs/booth/shared-pictures.ts';
import { findBoothEventById } from '../../store/booth/booth-event-records.ts';
import type { BoothEventRow } from '../../store/booth/booth-schema.ts';
import type { HttpParts } from '../parts.ts';
import { createAddressLimit } from './address-limit.ts';
import { guestsPerMinute, privateHeaders } from './event-guest-access.ts';
import { type EventLink, linkVersionOf } from './link-tokens.ts';

/** An event by a link to its wall or its gallery. */
export interface LinkedEvent {
  event: BoothEventRow;
  link: EventLink;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The event whose wall or gallery the token of the request opens; null on routes of other access. */
    linkedEvent: LinkedEvent | null;
  }
}

const places = {
  wall: {
    header: wallHeader.toLowerCase(),
    notFound: () => new AppError('WALL_NOT_FOUND', 'There is no wall behind this link any more.'),
  },
  gallery: {
    header: galleryHeader.toLowerCase(),
    notFound: () => new AppError('GALLERY_NOT_FOUND', 'There is no gallery behind this link any more.'),
  },
} as const;

/** Checks requests of walls and galleries: first how many come from the address, guesses included. */
export function createLinkAccess(
  app: FastifyInstance,
  { db, linkTokens }: Pick<HttpParts, 'db' | 'linkTokens'>,
): Record<Place, (request: FastifyRequest, reply: FastifyReply) => Promise<void>> {
  const limit = createAddressLimit(app, guestsPerMinute);
  const checkFor = (place: Place) => async (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(privateHeaders);
    await limit(request);
    const { header, notFound } = places[place];
    const token = request.headers[header];
    const link = typeof token === 'string' ? linkTokens.read(token) : undefined;
    if (!link || (link.kind === 'wall') !== (place === 'wall')) throw notFound();
    const event = await db.one(findBoothEventById, { id: link.eventId });
    if (!event || !isShown(event, place) || !isLinkOf(event, link)) throw notFound();
    request.linkedEvent = { event, link };
  };
  return { wall: checkFor('wall'), gallery: checkFor('gallery') };
}

/** Whether a link is one of those that the event has now. */
export function isLinkOf(event: BoothEventRow, { kind, version }: EventLink): boolean {
  return version === linkVersionOf(kind, event);
}

/** The event behind the request. Only routes whose access is `wall` or `gallery` may ask. */
export function linkedEventOf(request: FastifyRequest): LinkedEvent {
  if (!request.linkedEvent) throw new Error('this route is for no link: it has no event');
  return request.linkedEvent;
}

/** The event of a gallery that is open: by its link alone, or with the token that its password gave. */
export function openGalleryOf(request: FastifyRequest): BoothEventRow {
  const { event, link } = linkedEventOf(request);
  if (settingsOf(event).gallery === 'password' && link.kind !== 'unlocked_gallery')
    throw galleryLocked('This gallery needs its password.');
  return event;
}

export const galleryLocked = (sentence: string) => new AppError('GALLERY_LOCKED', sentence);
