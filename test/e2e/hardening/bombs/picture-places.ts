import { randomBytes, randomUUID } from 'node:crypto';
import { documentOf } from '@guise/server/http/openapi/openapi.ts';
import type { Route } from '@guise/server/http/route.ts';
import { routes } from '@guise/server/http/routes.ts';
import sharp from 'sharp';
import { familyCases } from '../../../../packages/server/test/support/contract-cases.ts';

/** The request that sends a picture to an endpoint. */
export interface PictureRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | FormData | Uint8Array<ArrayBuffer>;
}

/** Calls with the key of the account that the places are made for. */
export type Call = (method: string, path: string, body: unknown) => Promise<Record<string, string>>;

type SendPicture = (bytes: Buffer) => PictureRequest;

/** The endpoints that take a picture: by their schemas, the types of their bodies, and their rules for long strings. */
export function findPicturePlaces(): Route[] {
  const document = JSON.parse(JSON.stringify(documentOf(routes)));
  return routes.filter((row) => {
    const operation = document.paths[row.path.replace('*', '{key}')][row.method.toLowerCase()];
    const content: Record<string, { schema: unknown }> = operation.requestBody?.content ?? {};
    // The bytes of a backup, whose archive is read when it is restored.
    const bodies = Object.entries(content).filter(([type]) => type !== 'application/octet-stream');
    return (
      bodies.some(([type, { schema }]) => type.startsWith('image/') || hasPicture(document, schema)) ||
      row.longString?.toString().includes("'image'")
    );
  });
}

function hasPicture(document: unknown, schema: unknown, seen = new Set<unknown>()): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  const { $ref, type, format, description = '', contentMediaType = '' } = schema as Record<string, string>;
  if ($ref) return hasPicture(document, resolveRef(document, $ref), seen);
  const isPicture =
    format === 'binary' || /base64/i.test(description) || contentMediaType.startsWith('image/');
  return (
    (type === 'string' && isPicture) || Object.values(schema).some((part) => hasPicture(document, part, seen))
  );
}

const resolveRef = (document: unknown, ref: string): unknown =>
  ref
    .slice(2)
    .split('/')
    .reduce((part, name) => (part as Record<string, unknown>)[name], document);

/**
 * How a picture is sent to each of them, by its operation, with what has to be there first. Where `serve` puts a file at a
 * URL, it is sent to one endpoint of each kind by that, too.
 */
export async function makePicturePlaces(
  call: Call,
  key: string,
  serve?: (bytes: Buffer) => string,
): Promise<Map<string, SendPicture>> {
  const json = { 'content-type': 'application/json', 'x-api-key': key };
  const send =
    (
      method: string,
      path: string,
      bodyOf: (image: string) => object,
      headers: Record<string, string> = json,
    ): SendPicture =>
    (bytes) => ({ method, path, headers, body: JSON.stringify(bodyOf(bytes.toString('base64'))) });
  const filters = '/v1/users/me/my-custom-filters';
  const template = (image: string) => ({
    name: 'bomb',
    filter_type: 'face_swap',
    definition: { kind: 'template', image },
  });
  const filter = await call('POST', filters, {
    ...template(''),
    definition: { kind: 'prompt', prompt: 'in the snow' },
  });
  const set = await call('POST', '/v1/photo_sets', { name: 'bombs' });
  const backdrop = await sharp({ create: { width: 640, height: 640, channels: 3, background: '#468' } })
    .jpeg()
    .toBuffer();
  const scene = await call('POST', '/v1/scenes', { image: backdrop.toString('base64') });
  const hour = 3600_000;
  const event = await call('POST', '/v1/events', {
    name: 'bombs',
    starts_at: new Date(Date.now() - hour).toISOString(),
    ends_at: new Date(Date.now() + 9 * hour).toISOString(),
    offers: [{ id: 'alone', kind: 'single', filter_id: 1, labels: { en: 'x' } }],
    moments: true,
  });
  const booth = await call('POST', `/v1/events/${event.id}/keys`, { name: 'tablet' });
  const link = await call('POST', '/v1/quick_test_links', {
    filter_id: filter.id,
    runs: 1000,
    expires_at: new Date(Date.now() + 9 * hour).toISOString(),
  });
  const [, token = ''] = link.url!.split('/studio/quick-test/');
  const atBooth = { ...json, 'x-api-key': booth.secret! };
  const form =
    (name: string, path: string, fields: Record<string, string> = {}): SendPicture =>
    (bytes) => {
      const body = new FormData();
      for (const [field, value] of Object.entries(fields)) body.set(field, value);
      body.set(name, new File([Uint8Array.from(bytes)], 'photo.jpg', { type: 'image/jpeg' }));
      return { method: 'POST', path, headers: { authorization: `Bearer ${key}`, 'x-api-key': key }, body };
    };
  const runs = familyCases.map(({ run, body, imageField }) => {
    const { operation } = routes.find(({ method, path }) => method === 'POST' && path === run)!;
    // As many as its list has: a burst of one is refused before any picture is looked at.
    const photos = body[imageField];
    const value = (image: string) => (Array.isArray(photos) ? photos.map(() => image) : image);
    return [operation, send('POST', run, (image) => ({ ...body, [imageField]: value(image) }))] as const;
  });
  const mcp = { ...json, accept: 'application/json, text/event-stream', authorization: `Bearer ${key}` };
  const tool = (photo: string) => ({
    name: 'make_picture',
    arguments: { photo, prompt: 'a lake', wait_seconds: 0 },
  });
  const sendUrl =
    (path: string, bodyOf: (url: string) => object): SendPicture =>
    (bytes) =>
      send('POST', path, () => bodyOf(serve!(bytes)))(bytes);
  const byUrl = {
    runFaceSwapV6: sendUrl('/v6/run/face_swap', (base64) => ({ base64, gender: 1, filter_id: 1 })),
    runLivingPortrait: sendUrl('/v1/run/living_portrait', (url) => ({ images: [url, url], filter_id: 1 })),
    createCustomFilter: sendUrl(filters, template),
  };
  return new Map<string, SendPicture>([
    ...runs,
    ...(serve ? Object.entries(byUrl).map(([name, one]) => [`${name}, by URL`, one] as const) : []),
    ['createCustomFilter', send('POST', filters, template)],
    [
      'changeCustomFilter',
      send('PATCH', `${filters}/${filter.id}`, (image) => ({ definition: template(image).definition })),
    ],
    [
      'createCustomFilterDraft',
      send('POST', `${filters}/${filter.id}/drafts`, (image) => ({ definition: template(image).definition })),
    ],
    [
      'testFilterDraft',
      send('POST', '/v1/filter_drafts/test', (image) => ({
        filter_type: 'face_swap',
        definition: template(image).definition,
      })),
    ],
    ['checkTemplate', send('POST', '/v1/template_checks', (image) => ({ image }))],
    ['addPhoto', send('POST', `/v1/photo_sets/${set.id}/photos`, (image) => ({ image, name: randomUUID() }))],
    ['createScene', send('POST', '/v1/scenes', (image) => ({ image }))],
    ['changeScene', send('PATCH', `/v1/scenes/${scene.id}`, (mask) => ({ foreground: { mask } }))],
    ['previewScene', send('POST', `/v1/scenes/${scene.id}/preview`, (mask) => ({ foreground: { mask } }))],
    [
      'startQuickTestRun',
      (bytes) => {
        // An address has few runs a minute.
        const address = Array.from(randomBytes(8), (byte) => byte.toString(16)).join(':');
        const headers = { ...json, 'x-quick-test': token, 'x-forwarded-for': address };
        return send('POST', '/v1/quick_test/runs', (image) => ({ image }), headers)(bytes);
      },
    ],
    ['setEventOverlay', send('PUT', `/v1/events/${event.id}/overlays/portrait`, (image) => ({ image }))],
    [
      'checkBoothPhoto',
      send('POST', '/v1/booth/photo_checks', (image) => ({ image, offer_id: 'alone' }), atBooth),
    ],
    [
      'startBoothJob',
      send('POST', '/v1/booth/jobs', (image) => ({ image, offer_id: 'alone', guest: randomUUID() }), atBooth),
    ],
    ['putBoothMoment', send('PUT', `/v1/booth/jobs/${randomUUID()}/moment`, (gif) => ({ gif }), atBooth)],
    [
      'runImg2Img',
      send('POST', '/sdapi/v1/img2img', (image) => ({ init_images: [image], prompt: 'a lake' })),
    ],
    ['editImages', form('image', '/openai/v1/images/edits', { prompt: 'a lake' })],
    ['runPhoto', form('image', '/v1/photo/1')],
    [
      'sendMcpMessage',
      send(
        'POST',
        '/mcp',
        (image) => ({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool(image) }),
        mcp,
      ),
    ],
  ]);
}
