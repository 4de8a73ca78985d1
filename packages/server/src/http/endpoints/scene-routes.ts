import { Page } from '@guise/contract/jobs.ts';
import {
  NewOwnScene,
  OwnScene,
  OwnSceneChange,
  OwnSceneList,
  OwnScenePicture,
  OwnSceneTrial,
} from '@guise/contract/scenes/own-scenes.ts';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { toRun } from '../../accounts/authority.ts';
import { createOnce } from '../../jobs/create-once.ts';
import {
  changeScene,
  createScene,
  findOwnScene,
  readScene,
  readScenes,
  removeScene,
  type UploadOf,
} from '../../scenes/own-scenes.ts';
import { packScene } from '../../scenes/scene-pack.ts';
import { tryScene } from '../../scenes/try-scene.ts';
import type { LongString } from '../bodies/json-scanner.ts';
import { preconditionOf, setETag } from '../etag.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, disconnectSignal, idOf } from '../request.ts';
import { imageBodyBytes, json, none, ok, type Route, type RouteRequest, route } from '../route.ts';
import { photoLinksFor } from './blob-links.ts';
import { idempotencyOf } from './submit-run.ts';

const tag = 'Scenes';
const read = { scopes: ['read'] } as const;
const manage = { scopes: ['manage'] } as const;

const refOf = (request: RouteRequest) => ({ accountId: callerOf(request).id, id: idOf(request) });
const linksFor = (parts: HttpParts, request: RouteRequest) =>
  photoLinksFor(parts, request, callerOf(request).id).toBlob;

/** Who asks, until they hang up, and what their body holds. */
function callerWith(request: RouteRequest, reply: FastifyReply) {
  const uploadOf: UploadOf = (image) => request.received?.uploads.get(image) ?? image;
  return { accountId: callerOf(request).id, signal: disconnectSignal(reply), uploadOf };
}

async function shownScene(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
  id = idOf(request),
): Promise<OwnScene> {
  const ref = { accountId: callerOf(request).id, id };
  const { version, scene } = await readScene(parts.db, ref, linksFor(parts, request));
  setETag(reply, version);
  return scene;
}

/** A mask is an image; outlines have many short numbers. */
function foregroundLongString(path: readonly string[]): LongString {
  return path.length === 2 && path[0] === 'foreground' && path[1] === 'mask' ? 'image' : 'start';
}

/** Scenes that an account makes of its own backdrops. */
export const sceneRoutes: Route[] = [
  route({
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/scenes',
    operation: 'listScenes',
    tag,
    summary: 'Scenes that the caller made of backdrops, newest first',
    query: Page,
    success: ok(OwnSceneList),
    handle: (parts, request) =>
      readScenes(parts.db, callerOf(request).id, request.query, linksFor(parts, request)),
  }),
  route({
    ...json,
    ...manage,
    method: 'POST',
    path: '/v1/scenes',
    operation: 'createScene',
    tag,
    summary: 'Make a scene of a backdrop: its horizon, floor and light are found, and how people stand in it',
    counted: 'tests',
    body: NewOwnScene,
    maxBody: imageBodyBytes,
    longString: (path) => (path.length === 1 && path[0] === 'image' ? 'image' : 'start'),
    success: { status: 201, shape: OwnScene },
    handle: (parts, request, reply) =>
      createOnce(parts.db, {
        accountId: callerOf(request).id,
        idempotency: idempotencyOf(request),
        create: async (keepKey) => {
          const id = await createScene(parts, request.body, callerWith(request, reply), keepKey);
          return shownScene(parts, request, reply, id);
        },
        find: (id) => shownScene(parts, request, reply, id),
      }),
  }),
  {
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/scenes/{id}',
    operation: 'readScene',
    tag,
    summary: 'A scene of the caller with its settings, and the filters that are made with it',
    success: ok(OwnScene),
    handle: (parts, request, reply) => shownScene(parts, request, reply),
  },
  route({
    ...json,
    ...manage,
    method: 'PATCH',
    path: '/v1/scenes/{id}',
    operation: 'changeScene',
    takesIfMatch: true,
    tag,
    summary: 'Change how people stand in a scene, its light, its crops or what is in front',
    counted: 'tests',
    body: OwnSceneChange,
    maxBody: imageBodyBytes,
    longString: foregroundLongString,
    success: ok(OwnScene),
    handle: async (parts, request, reply) => {
      const asked = { ...callerWith(request, reply), precondition: preconditionOf(request) };
      await changeScene(parts, refOf(request), request.body, asked);
      return shownScene(parts, request, reply);
    },
  }),
  route({
    ...none,
    ...manage,
    method: 'DELETE',
    path: '/v1/scenes/{id}',
    operation: 'deleteScene',
    takesIfMatch: true,
    tag,
    summary: 'Delete a scene; `?force=true` even if filters are made with it',
    // Anything but `true` is not forced.
    query: z.object({ force: z.enum(['true', 'false']).optional().catch(undefined) }),
    success: { status: 204 },
    handle: (parts, request) =>
      removeScene(parts, refOf(request), request.query.force === 'true', preconditionOf(request)),
  }),
  route({
    ...json,
    ...manage,
    authority: toRun,
    method: 'POST',
    path: '/v1/scenes/{id}/preview',
    operation: 'previewScene',
    tag,
    summary: 'Somebody of a photo in a scene, with settings that need not be saved, uncharged',
    counted: 'tests',
    body: OwnSceneTrial,
    maxBody: imageBodyBytes,
    longString: foregroundLongString,
    success: ok(OwnScenePicture),
    handle: (parts, request, reply) =>
      tryScene(parts, refOf(request), request.body, callerWith(request, reply)),
  }),
  {
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/scenes/{id}/pack',
    operation: 'exportScene',
    tag,
    summary: 'A scene as a pack that other installations import, in a tar archive',
    success: { status: 200 },
    handle: async (parts, request, reply) => {
      const { folder, tar } = await packScene(parts.blobs, await findOwnScene(parts.db, refOf(request)));
      reply.headers({
        'content-type': 'application/x-tar',
        'content-disposition': `attachment; filename="${folder}.tar"`,
      });
      return Buffer.from(tar);
    },
  },
];
