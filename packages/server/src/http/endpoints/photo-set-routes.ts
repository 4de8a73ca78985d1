import { Page } from '@guise/contract/jobs.ts';
import {
  NewPhoto,
  NewPhotoSet,
  Photo,
  PhotoSet,
  PhotoSetChange,
  PhotoSetList,
} from '@guise/contract/photo-sets.ts';
import type { FastifyReply } from 'fastify';
import { createOnce } from '../../jobs/create-once.ts';
import {
  addPhoto,
  changePhotoSet,
  createPhotoSet,
  photoNotFound,
  readPhotoSet,
  readPhotoSets,
  removePhoto,
  removePhotoSet,
} from '../../qa/photo-sets.ts';
import { preconditionOf, setETag } from '../etag.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, disconnectSignal, idOf } from '../request.ts';
import { imageBodyBytes, json, none, ok, type Route, type RouteRequest, route } from '../route.ts';
import { photoLinksFor } from './blob-links.ts';
import { idempotencyOf } from './submit-run.ts';

const tag = 'Photo sets';
const read = { scopes: ['read'] } as const;
const manage = { scopes: ['manage'] } as const;

const setRefOf = (request: RouteRequest) => ({ accountId: callerOf(request).id, id: idOf(request) });
const linksFor = (parts: HttpParts, request: RouteRequest) =>
  photoLinksFor(parts, request, callerOf(request).id);

async function shownSet(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
  id = idOf(request),
): Promise<PhotoSet> {
  const links = linksFor(parts, request);
  const { version, set } = await readPhotoSet(parts.db, links, callerOf(request).id, id);
  setETag(reply, version);
  return set;
}

async function shownPhoto(parts: HttpParts, request: RouteRequest, photoId: string): Promise<Photo> {
  const links = linksFor(parts, request);
  const { set } = await readPhotoSet(parts.db, links, callerOf(request).id, idOf(request));
  const photo = set.photos.find(({ id }) => id === photoId);
  if (!photo) throw photoNotFound();
  return photo;
}

export const photoSetRoutes: Route[] = [
  route({
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/photo_sets',
    operation: 'listPhotoSets',
    tag,
    summary: 'Photo sets of the caller, newest first, after the one that comes with the server',
    query: Page,
    success: ok(PhotoSetList),
    handle: (parts, request) =>
      readPhotoSets(parts.db, linksFor(parts, request), callerOf(request).id, request.query),
  }),
  route({
    ...json,
    ...manage,
    method: 'POST',
    path: '/v1/photo_sets',
    operation: 'createPhotoSet',
    tag,
    summary: 'Make a photo set',
    body: NewPhotoSet,
    success: { status: 201, shape: PhotoSet },
    handle: (parts, request, reply) =>
      createOnce(parts.db, {
        accountId: callerOf(request).id,
        idempotency: idempotencyOf(request),
        create: async (keepKey) => {
          const id = await createPhotoSet(parts.db, callerOf(request).id, request.body, keepKey);
          return shownSet(parts, request, reply, id);
        },
        find: (id) => shownSet(parts, request, reply, id),
      }),
  }),
  {
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/photo_sets/{id}',
    operation: 'readPhotoSet',
    tag,
    summary: 'A photo set with its photos',
    success: ok(PhotoSet),
    handle: (parts, request, reply) => shownSet(parts, request, reply),
  },
  route({
    ...json,
    ...manage,
    method: 'PATCH',
    path: '/v1/photo_sets/{id}',
    operation: 'changePhotoSet',
    takesIfMatch: true,
    tag,
    summary: 'Rename a photo set',
    body: PhotoSetChange,
    success: ok(PhotoSet),
    handle: async (parts, request, reply) => {
      await changePhotoSet(parts.db, setRefOf(request), request.body, preconditionOf(request));
      return shownSet(parts, request, reply);
    },
  }),
  {
    ...none,
    ...manage,
    method: 'DELETE',
    path: '/v1/photo_sets/{id}',
    operation: 'deletePhotoSet',
    takesIfMatch: true,
    tag,
    summary: 'Erase a photo set and its photos',
    success: { status: 204 },
    handle: (parts, request) => removePhotoSet(parts, setRefOf(request), preconditionOf(request)),
  },
  route({
    ...json,
    ...manage,
    method: 'POST',
    path: '/v1/photo_sets/{id}/photos',
    operation: 'addPhoto',
    tag,
    summary: 'Add a photo, which is kept until it is removed, without what the camera wrote into it',
    body: NewPhoto,
    maxBody: imageBodyBytes,
    longString: (path) => (path.length === 1 && path[0] === 'image' ? 'image' : 'start'),
    success: { status: 201, shape: Photo },
    handle: (parts, request, reply) => {
      const disconnected = disconnectSignal(reply);
      const image = request.received?.uploads.get(request.body.image) ?? request.body.image;
      return createOnce(parts.db, {
        accountId: callerOf(request).id,
        idempotency: idempotencyOf(request),
        create: async (keepKey) => {
          const wanted = { ...request.body, image };
          const id = await addPhoto(parts, setRefOf(request), wanted, disconnected, keepKey);
          return shownPhoto(parts, request, id);
        },
        find: (id) => shownPhoto(parts, request, id),
      });
    },
  }),
  {
    ...none,
    ...manage,
    method: 'DELETE',
    path: '/v1/photo_sets/{id}/photos/{photo_id}',
    operation: 'deletePhoto',
    tag,
    summary: 'Erase a photo',
    success: { status: 204 },
    handle: (parts, request) => removePhoto(parts, setRefOf(request), idOf(request, 'photo_id')),
  },
];
