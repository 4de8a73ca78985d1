import { Preflight } from '@guise/contract/events/preflight.ts';
import { JobArchive } from '@guise/contract/job-details.ts';
import { AppError } from '../../../errors.ts';
import { eventNotFound } from '../../../events/event-state.ts';
import { notePhone, readPreflight } from '../../../events/preflight.ts';
import { readEventFiles } from '../../../events/shared-pictures.ts';
import { isoTime } from '../../../iso-time.ts';
import { archiveMs, createArchive } from '../../../job-pages/job-archives.ts';
import { findEvent, findEventById } from '../../../store/events/event-records.ts';
import { readGuestAddress } from '../../access/guest-address.ts';
import { baseUrlOf, callerOf, idOf } from '../../request.ts';
import { none, ok, open, type Route } from '../../route.ts';

const read = { scopes: ['read'], tag: 'Events' } as const;

const reachedPage =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  '<title>Guise</title></head><body><h1>This phone reaches Guise.</h1>' +
  '<p>Codes of guests work in this network. You can close this page.</p></body></html>';

export const preflightRoutes: Route[] = [
  {
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/events/{id}/preflight',
    operation: 'readPreflight',
    summary: 'Whether everything is ready for the evening, and what to do where it is not',
    success: ok(Preflight),
    handle: async (parts, request) => {
      const event = await parts.db.one(findEvent, { id: idOf(request), account_id: callerOf(request).id });
      if (!event) throw eventNotFound();
      const { url, is_local: isLocal } = await readGuestAddress(parts, request);
      const freeBytes = () => parts.disk.freeBytes();
      const phoneUrl = `${url}/v1/phone_checks/${parts.guestTokens.create(event.id)}`;
      return readPreflight({ ...parts, freeBytes }, event, { url, isLocal }, phoneUrl);
    },
  },
  {
    ...open,
    tag: 'Events',
    method: 'GET',
    path: '/v1/phone_checks/{token}',
    operation: 'openPhoneCheck',
    summary: 'Opened with a phone, tells the preflight of an event that phones reach the server',
    success: { status: 200 },
    handle: async (parts, request, reply) => {
      const id = parts.guestTokens.read(request.params.token ?? '');
      const event = id === undefined ? undefined : await parts.db.one(findEventById, { id });
      if (!event) throw new AppError('NOT_FOUND', 'This code is not valid.');
      await notePhone(parts.db, event.id, baseUrlOf(parts, request));
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
      return reachedPage;
    },
  },
  {
    ...none,
    ...read,
    method: 'POST',
    path: '/v1/events/{id}/archive',
    operation: 'createEventArchive',
    summary: 'A link to a zip file of all pictures and videos of an event but hidden ones',
    success: { status: 201, shape: JobArchive },
    handle: async (parts, request) => {
      const account_id = callerOf(request).id;
      const event = await parts.db.one(findEvent, { id: idOf(request), account_id });
      if (!event) throw eventNotFound();
      const { linkKey, jobs } = await createArchive(parts, account_id, await readEventFiles(parts.db, event));
      const expiresAt = Date.now() + archiveMs;
      const url = parts.links.create(baseUrlOf(parts, request), linkKey, account_id, expiresAt);
      return { url, expires_at: isoTime(expiresAt), jobs };
    },
  },
];
