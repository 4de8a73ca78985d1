import { galleryHeader, wallHeader } from '@guise/contract/events/event-guests.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { Place } from '../../events/consent.ts';
import { settingsOf } from '../../events/event-settings.ts';
import { isPictureShown, isShown } from '../../events/shared-pictures.ts';
import type { LinkToBlob } from '../../jobs/read.ts';
import type { Db } from '../../store/db.ts';
import { findEventJob } from '../../store/events/event-guest-records.ts';
import { findEventById } from '../../store/events/event-records.ts';
import type { EventRow } from '../../store/events/event-schema.ts';
import type { HttpParts } from '../parts.ts';
import { baseUrlOf } from '../request.ts';
import { createAddressLimit } from './address-limit.ts';
import { guestsPerMinute, privateHeaders } from './event-guest-access.ts';
import { type EventLink, type LinkKind, linkKinds, linkVersionOf } from './link-tokens.ts';

/** An event by a link to its wall or its gallery. */
export interface LinkedEvent {
  event: EventRow;
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
    const event = await db.one(findEventById, { id: link.eventId });
    if (!event || !isShown(event, place) || !isLinkOf(event, link)) throw notFound();
    request.linkedEvent = { event, link };
  };
  return { wall: checkFor('wall'), gallery: checkFor('gallery') };
}

/** Links to files for whoever sees them on the wall or in the gallery of the request, as long as they are shown there. */
export function sharedLinks(parts: HttpParts, request: FastifyRequest): LinkToBlob {
  const { kind, version } = linkedEventOf(request).link;
  const baseUrl = baseUrlOf(parts, request);
  return ({ account_id, expires_at }, key) =>
    parts.links.create(baseUrl, key, account_id, expires_at, `${kind}.${version}`);
}

/**
 * Whether the wall or the gallery that a link to a file was made for still shows the picture, and by the same link;
 * undefined where the picture was erased.
 */
export async function isSharedWith(db: Db, audience: string, jobId: string): Promise<boolean | undefined> {
  const [name, version] = audience.split('.');
  const kind = linkKinds.find((known) => known === name);
  const row = await db.one(findEventJob, { job_id: jobId });
  const event = row && (await db.one(findEventById, { id: row.event_id }));
  if (!event) return undefined;
  if (!kind || !isLinkOf(event, { kind, version: Number(version) })) return false;
  const place = kind === 'wall' ? 'wall' : 'gallery';
  return !isLocked(event, kind) && (await isPictureShown(db, event, place, row));
}

/** Whether a link is one of those that the event has now. */
export function isLinkOf(event: EventRow, { kind, version }: Pick<EventLink, 'kind' | 'version'>): boolean {
  return version === linkVersionOf(kind, event);
}

/** The event behind the request. Only routes whose access is `wall` or `gallery` may ask. */
export function linkedEventOf(request: FastifyRequest): LinkedEvent {
  if (!request.linkedEvent) throw new Error('this route is for no link: it has no event');
  return request.linkedEvent;
}

/** The event of a gallery that is open: by its link alone, or with the token that its password gave. */
export function openGalleryOf(request: FastifyRequest): EventRow {
  const { event, link } = linkedEventOf(request);
  if (isLocked(event, link.kind)) throw galleryLocked('This gallery needs its password.');
  return event;
}

function isLocked(event: EventRow, kind: LinkKind): boolean {
  return kind === 'gallery' && settingsOf(event).gallery === 'password';
}

export const galleryLocked = (sentence: string) => new AppError('GALLERY_LOCKED', sentence);
