import {
  Booth,
  BoothPicture,
  GuestPage,
  momentLimits,
  NewEventJob,
  NewMoment,
  PhotoCheck,
  PhotoToCheck,
  PrintQuery,
  StartedEventJob,
} from '@guise/contract/events/event-guests.ts';
import { printLimits } from '@guise/contract/events/prints.ts';
import { burstLimits } from '@guise/contract/families/living-portrait.ts';
import type { FastifyReply } from 'fastify';
import { checkEventPhoto } from '../../../events/check-event-photo.ts';
import { chooseVariation } from '../../../events/choose-variation.ts';
import {
  eraseGuestPictures,
  readBooth,
  readBoothJob,
  readGuestPage,
} from '../../../events/event-pictures.ts';
import { type PrintFile, printEventPicture } from '../../../events/print-event-picture.ts';
import { storeMoment } from '../../../events/store-moment.ts';
import { submitEventJob } from '../../../events/submit-event-job.ts';
import { guestBaseUrlOf } from '../../access/guest-address.ts';
import { guestLinks } from '../../access/link-audiences.ts';
import type { HttpParts } from '../../parts.ts';
import { baseUrlOf, callerOf, disconnectSignal, eventGuestOf, eventOfBooth, idOf } from '../../request.ts';
import { imageBodyBytes, json, none, ok, type Route, type RouteRequest, route } from '../../route.ts';
import { photoLinksFor } from '../blob-links.ts';
import { waitOf } from '../job-status.ts';
import { idempotencyOf } from '../submit-run.ts';

const booth = { access: 'booth', scopes: [], tag: 'Booth' } as const;
const guest = { access: 'event_guest', scopes: [], tag: 'Guests of events' } as const;

/** Nobody but whoever asked keeps a copy. */
function sendPrint(reply: FastifyReply, { bytes, type, name }: PrintFile): Buffer {
  reply.type(type).headers({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'content-disposition': `inline; filename="guise-${name}"`,
  });
  return bytes;
}

/** What of a request decides how a picture is printed. */
async function wantedPrintOf(parts: HttpParts, request: RouteRequest<unknown, PrintQuery>) {
  const { layout, format, with: others = '' } = request.query;
  const ids = others.split(',').map((id) => id.trim().toLowerCase());
  const baseUrl = await guestBaseUrlOf(parts, request);
  return {
    ids: [idOf(request), ...ids.filter((id) => id !== '')].slice(0, printLimits.pictures),
    layout,
    format,
    guestUrl: (guestId: string) => guestUrlOf(parts, baseUrl, guestId),
  };
}

const guestUrlOf = (parts: HttpParts, baseUrl: string, guestId: string) =>
  `${baseUrl}/g/${parts.guestTokens.create(guestId)}`;

/** The body has one image, under this name. */
const imageAlone = (path: readonly string[]) =>
  path.length === 1 && path[0] === 'image' ? 'image' : 'start';

/** The same, or a list of images. */
const imageOrImages = (path: readonly string[]) =>
  path.length === 2 && path[0] === 'images' && path[1] === '*' ? 'image' : imageAlone(path);

export const boothRoutes: Route[] = [
  {
    ...none,
    ...booth,
    method: 'GET',
    path: '/v1/booth',
    operation: 'readBooth',
    summary: 'The event of the key as its booths show it',
    success: ok(Booth),
    handle: (parts, request) => {
      const event = eventOfBooth(request);
      parts.pictureTasks.warmUp();
      const { toBlob } = photoLinksFor(parts, request, event.account_id);
      const baseUrl = baseUrlOf(parts, request);
      const toCatalog = (catalog: string, id: number) => `${baseUrl}/previews/${catalog}/${id}.webp`;
      return readBooth(parts, event, { toBlob, toCatalog });
    },
  },
  route({
    ...json,
    ...booth,
    method: 'POST',
    path: '/v1/booth/photo_checks',
    operation: 'checkBoothPhoto',
    summary: 'What is wrong with a photo for an offer, and where its faces are, before a job is spent',
    body: PhotoToCheck,
    maxBody: imageBodyBytes,
    longString: imageAlone,
    countedPerCredential: 'photo_checks',
    success: ok(PhotoCheck),
    handle: (parts, request, reply) => {
      const image = request.received?.uploads.get(request.body.image) ?? request.body.image;
      return checkEventPhoto(parts, {
        event: eventOfBooth(request),
        keyId: callerOf(request).key_id,
        wanted: { ...request.body, image },
        signal: disconnectSignal(reply),
      });
    },
  }),
  route({
    ...json,
    ...booth,
    method: 'POST',
    path: '/v1/booth/jobs',
    operation: 'startBoothJob',
    summary:
      'A guest’s photo, or a burst of them, with the guest’s consent, charged to the budget of the event',
    body: NewEventJob,
    maxBody: burstLimits.mostShots * imageBodyBytes,
    longString: imageOrImages,
    counted: 'runs',
    success: { status: 201, shape: StartedEventJob },
    handle: async (parts, request, reply) => {
      const { image, images = [image!], ...wanted } = request.body;
      const started = await submitEventJob(parts, {
        event: eventOfBooth(request),
        keyId: callerOf(request).key_id,
        wanted,
        photos: images.map((photo) => request.received?.uploads.get(photo) ?? photo),
        idempotency: idempotencyOf(request),
        signal: disconnectSignal(reply),
      });
      const guest_token = parts.guestTokens.create(started.guestId);
      return {
        id: started.id,
        guest_token,
        guest_url: `${await guestBaseUrlOf(parts, request)}/g/${guest_token}`,
        pictures_left: started.picturesLeft,
      };
    },
  }),
  {
    ...none,
    ...booth,
    method: 'GET',
    path: '/v1/booth/jobs/{id}',
    operation: 'readBoothJob',
    summary: 'A job that this key submitted; `Prefer: wait=N` holds the answer until it has ended',
    success: ok(BoothPicture),
    handle: (parts, request, reply) => {
      const job = { event: eventOfBooth(request), keyId: callerOf(request).key_id, id: idOf(request) };
      const wait = { ms: waitOf(request.headers.prefer) ?? 0, signal: disconnectSignal(reply) };
      return readBoothJob(parts, job, wait, guestLinks(parts, request));
    },
  },
  route({
    ...json,
    ...booth,
    method: 'PUT',
    path: '/v1/booth/jobs/{id}/moment',
    operation: 'putBoothMoment',
    summary: 'A small moving picture of the moment, for the guest’s page, while the picture is made',
    body: NewMoment,
    maxBody: 2 * momentLimits.bytes,
    maxText: 2 * momentLimits.bytes,
    counted: 'runs',
    success: { status: 204 },
    handle: (parts, request) => {
      const job = { event: eventOfBooth(request), keyId: callerOf(request).key_id, id: idOf(request) };
      return storeMoment(parts, job, request.body.gif);
    },
  }),
  {
    ...none,
    ...booth,
    method: 'POST',
    path: '/v1/booth/jobs/{id}/choose',
    operation: 'chooseBoothPicture',
    summary: 'The guest takes this variation: the others of the same touch are erased',
    success: ok(BoothPicture),
    handle: (parts, request, reply) => {
      const job = { event: eventOfBooth(request), keyId: callerOf(request).key_id, id: idOf(request) };
      return chooseVariation(parts, job, disconnectSignal(reply), guestLinks(parts, request));
    },
  },
  route({
    ...none,
    ...booth,
    method: 'GET',
    path: '/v1/booth/jobs/{id}/print',
    operation: 'readBoothPrint',
    summary: 'A picture that this key submitted, laid out for a printer: PNG at 300 dpi or PDF',
    query: PrintQuery,
    countedPerCredential: 'prints',
    success: { status: 200 },
    handle: async (parts, request, reply) =>
      sendPrint(
        reply,
        await printEventPicture(parts, {
          event: eventOfBooth(request),
          by: { keyId: callerOf(request).key_id },
          ...(await wantedPrintOf(parts, request)),
          signal: disconnectSignal(reply),
        }),
      ),
  }),
  {
    ...none,
    ...guest,
    method: 'GET',
    path: '/v1/guest',
    operation: 'readGuestPage',
    summary: 'What the guest of a token made at an event',
    success: ok(GuestPage),
    handle: (parts, request) => readGuestPage(parts, eventGuestOf(request), guestLinks(parts, request)),
  },
  route({
    ...none,
    ...guest,
    method: 'GET',
    path: '/v1/guest/pictures/{id}/print',
    operation: 'readGuestPrint',
    summary: 'A picture of the guest, laid out for a printer: PNG at 300 dpi or PDF',
    query: PrintQuery,
    countedPerCredential: 'prints',
    success: { status: 200 },
    handle: async (parts, request, reply) => {
      const { event, guest: printing } = eventGuestOf(request);
      return sendPrint(
        reply,
        await printEventPicture(parts, {
          event,
          by: { guestId: printing.id },
          ...(await wantedPrintOf(parts, request)),
          signal: disconnectSignal(reply),
        }),
      );
    },
  }),
  {
    ...none,
    ...guest,
    method: 'DELETE',
    path: '/v1/guest/pictures',
    operation: 'eraseGuestPictures',
    summary: 'Erase all pictures of the guest with photos, thumbnails and consents, now',
    success: { status: 204 },
    handle: (parts, request) => eraseGuestPictures(parts, eventGuestOf(request)),
  },
  {
    ...none,
    ...guest,
    method: 'DELETE',
    path: '/v1/guest/pictures/{id}',
    operation: 'eraseGuestPicture',
    summary: 'Erase one picture of the guest with its photo, thumbnail and consent, now',
    success: { status: 204 },
    handle: (parts, request) => eraseGuestPictures(parts, eventGuestOf(request), idOf(request)),
  },
];
