import {
  EventLinks,
  GalleryPassword,
  SharedPictures,
  UnlockedGallery,
} from '@guise/contract/events/event-guests.ts';
import { EventJobEntry, EventPictureChange } from '@guise/contract/events/events.ts';
import { Page } from '@guise/contract/jobs.ts';
import { toManageOthers } from '../../../accounts/authority.ts';
import { approvePicture } from '../../../events/event-pictures.ts';
import { eventNotFound } from '../../../events/event-state.ts';
import { rollLinks } from '../../../events/events.ts';
import { isShown, readSharedPictures } from '../../../events/shared-pictures.ts';
import { isoTime } from '../../../iso-time.ts';
import { findEvent } from '../../../store/events/event-records.ts';
import { galleryUrlOf } from '../../access/gallery-link.ts';
import { guestBaseUrlOf } from '../../access/guest-address.ts';
import { galleryLocked, linkedEventOf, openGalleryOf, sharedLinks } from '../../access/link-access.ts';
import { type LinkKind, linkVersionOf } from '../../access/link-tokens.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf, idOf, jobLinks } from '../../request.ts';
import { json, none, ok, type Route, type RouteRequest, route } from '../../route.ts';
import { streamWall } from './wall-stream.ts';

const events = { tag: 'Events' } as const;
const wall = { access: 'wall', scopes: [], tag: 'Walls and galleries' } as const;
const gallery = { access: 'gallery', scopes: [], tag: 'Walls and galleries' } as const;

/** How long a password opens a gallery for. */
const unlockedMs = 12 * 3600_000;

async function linksOf(parts: HttpParts, request: RouteRequest): Promise<EventLinks> {
  const event = await parts.db.one(findEvent, { id: idOf(request), account_id: callerOf(request).id });
  if (!event) throw eventNotFound();
  const baseUrl = await guestBaseUrlOf(parts, request);
  const tokenOf = (kind: LinkKind) =>
    parts.linkTokens.create({ kind, eventId: event.id, version: linkVersionOf(kind, event), expires: 0 });
  const [wallToken, galleryToken] = [tokenOf('wall'), tokenOf('gallery')];
  return {
    wall: isShown(event, 'wall')
      ? { token: wallToken, url: `${baseUrl}/wall/${event.id}#token=${wallToken}` }
      : null,
    gallery: isShown(event, 'gallery') ? { token: galleryToken, url: `${baseUrl}/g/${galleryToken}` } : null,
  };
}

export const wallRoutes: Route[] = [
  {
    ...none,
    ...events,
    scopes: ['read'],
    method: 'GET',
    path: '/v1/events/{id}/links',
    operation: 'readEventLinks',
    summary: 'Links to the wall and the gallery of an event; null where it has none',
    success: ok(EventLinks),
    handle: async (parts, request, reply) => {
      reply.header('cache-control', 'no-store');
      return linksOf(parts, request);
    },
  },
  {
    ...none,
    ...events,
    scopes: ['manage'],
    authority: { ...toManageOthers, scopes: ['read'] },
    method: 'POST',
    path: '/v1/events/{id}/links',
    operation: 'replaceEventLinks',
    summary: 'Make the links to the wall and the gallery anew: those before stop working',
    success: ok(EventLinks),
    handle: async (parts, request, reply) => {
      reply.header('cache-control', 'no-store');
      await rollLinks(parts, { id: idOf(request), account_id: callerOf(request).id });
      return linksOf(parts, request);
    },
  },
  route({
    ...json,
    ...events,
    scopes: ['manage'],
    method: 'PATCH',
    path: '/v1/events/{id}/pictures/{picture_id}',
    operation: 'changeEventPicture',
    summary: 'Approve a picture for the wall and the gallery, or hide it',
    body: EventPictureChange,
    success: ok(EventJobEntry),
    handle: (parts, request) => {
      const picture_id = idOf(request, 'picture_id');
      const own = { id: idOf(request), account_id: callerOf(request).id, picture_id };
      return approvePicture(parts, own, request.body.approval, jobLinks(parts, request));
    },
  }),
  route({
    ...none,
    ...wall,
    method: 'GET',
    path: '/v1/wall',
    operation: 'readWall',
    summary: 'Pictures of the wall, newest first',
    query: Page,
    success: ok(SharedPictures),
    handle: async (parts, request) => {
      const { event } = linkedEventOf(request);
      const query = { event, place: 'wall', page: request.query } as const;
      const shown = await readSharedPictures(parts.db, query, sharedLinks(parts, request));
      const gallery_url = await galleryUrlOf(parts, request, event);
      return { ...shown, event: { ...shown.event, gallery_url } };
    },
  }),
  {
    ...none,
    ...wall,
    method: 'GET',
    path: '/v1/wall/changes',
    operation: 'streamWallChanges',
    summary:
      'All pictures of the wall, then each that comes or goes, as server-sent events until the caller disconnects',
    success: { status: 200 },
    handle: streamWall,
  },
  route({
    ...none,
    ...gallery,
    method: 'GET',
    path: '/v1/gallery',
    operation: 'readGallery',
    summary: 'Pictures of the gallery, newest first',
    query: Page,
    success: ok(SharedPictures),
    handle: async (parts, request) => {
      const query = { event: openGalleryOf(request), place: 'gallery', page: request.query } as const;
      return readSharedPictures(parts.db, query, sharedLinks(parts, request));
    },
  }),
  route({
    ...json,
    ...gallery,
    method: 'POST',
    path: '/v1/gallery/unlock',
    operation: 'unlockGallery',
    summary: 'A token that reads a gallery, for its password',
    body: GalleryPassword,
    success: { status: 201, shape: UnlockedGallery },
    handle: async (parts, request) => {
      const { event } = linkedEventOf(request);
      const isRight = await parts.logins.checkShared({
        name: `gallery ${event.id}`,
        password: request.body.password,
        stored: event.gallery_password_hash,
        address: request.ip,
      });
      if (!isRight) throw galleryLocked('This is not the password of the gallery.');
      const expires = Math.floor((Date.now() + unlockedMs) / 1000);
      const kind = 'unlocked_gallery';
      const version = linkVersionOf(kind, event);
      return {
        token: parts.linkTokens.create({ kind, eventId: event.id, version, expires }),
        expires_at: isoTime(expires * 1000),
      };
    },
  }),
];
