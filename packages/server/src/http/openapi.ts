import { ErrorBody } from '@guise/contract/common.ts';
import { galleryHeader, guestHeader, wallHeader } from '@guise/contract/events/event-guests.ts';
import { quickTestHeader } from '@guise/contract/quick-tests.ts';
import type { FastifyRequest, FastifySchema } from 'fastify';
import { z } from 'zod';
import { errorStatus } from './error-status.ts';
import type { HttpParts } from './parts.ts';
import { baseUrlOf } from './request.ts';
import type { Route } from './route.ts';

/** Writes the OpenAPI document for whoever asks. */
export type OpenApi = (parts: HttpParts, request: FastifyRequest) => Promise<string>;

declare module 'fastify' {
  interface FastifyInstance {
    openApi: OpenApi;
  }
}

/**
 * The rows as the text of an OpenAPI 3.1 document, whose server is where the caller reached this one. It is made when
 * somebody first asks for it, on an application of its own: loading what makes it takes 40 ms of a start.
 */
export function openApi(rows: readonly Route[]): OpenApi {
  let start: Promise<string> | undefined;
  return async (parts, request) => {
    start ??= documentOf(rows).then((document) => JSON.stringify(document).slice(0, -1));
    const servers = JSON.stringify([{ url: baseUrlOf(parts, request) }]);
    return `${await start},"servers":${servers}}`;
  };
}

async function documentOf(rows: readonly Route[]): Promise<object> {
  const [{ fastify }, { default: swagger }] = await Promise.all([
    import('fastify'),
    import('@fastify/swagger'),
  ]);
  const app = fastify();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Guise',
        version: '1',
        description:
          'Pictures and videos of people: face swap, multi swap, self-prompts and video, as asynchronous jobs.',
        license: { name: 'MIT' },
      },
      components: {
        schemas: namedSchemas(),
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer' },
          basic: { type: 'http', scheme: 'basic' },
          quickTest: { type: 'apiKey', in: 'header', name: quickTestHeader },
          eventGuest: { type: 'apiKey', in: 'header', name: guestHeader },
          wall: { type: 'apiKey', in: 'header', name: wallHeader },
          gallery: { type: 'apiKey', in: 'header', name: galleryHeader },
          password: { type: 'oauth2', flows: { password: { tokenUrl: '/token', scopes: {} } } },
        },
      },
    },
    convertConstToEnum: false,
    transform: ({ route }) => {
      const row = route.config!.row!;
      return { schema: operationOf(row), url: row.path.replace('*', '{key}') };
    },
  });
  for (const row of rows) {
    const { method, path } = row;
    app.route({ method, url: routerPath(path), config: { row }, handler: async () => {} });
  }
  await app.ready();
  return app.swagger();
}

/** `{id}` of the interface is `:id` of the router. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function operationOf(row: Route): FastifySchema {
  const { status, shape } = row.success;
  return {
    tags: [row.tag],
    summary: row.summary,
    ...(row.scopes.length > 0 && { description: describeAccess(row) }),
    ...(row.access === 'guest' && { security: [{ quickTest: [] }] }),
    ...(row.access === 'event_guest' && { security: [{ eventGuest: [] }] }),
    ...((row.access === 'wall' || row.access === 'gallery') && { security: [{ [row.access]: [] }] }),
    ...(row.access === 'booth' && { security: [{ apiKey: [] }, { bearer: [] }] }),
    ...(row.access === 'account' && { security: securityOf(row) }),
    ...(row.query && { querystring: jsonSchemaOf(row.query, 'input') }),
    ...(row.body && { body: jsonSchemaOf(row.body, 'input') }),
    ...(row.bodyKind === 'form' && { consumes: ['application/x-www-form-urlencoded'] }),
    response: {
      [status]: shape
        ? jsonResponse('Success', shape)
        : { description: status === 204 ? 'Done' : 'Success', type: 'null' },
      default: jsonResponse(`An error: one of ${Object.keys(errorStatus).join(', ')}`, ErrorBody),
    },
  };
}

function describeAccess({ scopes, authority }: Route): string {
  return [
    `Scopes, of which one is needed: ${scopes.join(', ')}`,
    ...(authority?.scopes.length ? [`Needed as well: ${authority.scopes.join(', ')}`] : []),
    ...(authority?.outlivesKey ? ['Not for keys with a budget or an expiry'] : []),
  ].join('. ');
}

function securityOf({ takesBasic }: Route): Record<string, string[]>[] {
  return [{ apiKey: [] }, { bearer: [] }, { password: [] }, ...(takesBasic ? [{ basic: [] }] : [])];
}

function jsonResponse(description: string, shape: z.ZodType) {
  return { description, content: { 'application/json': { schema: jsonSchemaOf(shape, 'output') } } };
}

function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $defs: _, ...root } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return withoutIdentity(root, '#/$defs/');
}

/** Every schema of the contract that has an id, once: where it is used, a reference to it stands. */
function namedSchemas(): Record<string, object> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: 'output',
    unrepresentable: 'any',
    uri: (id) => id,
  });
  return Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, withoutIdentity(schema, '')]));
}

/** A schema without the keys that say what it is called, and with references to the document's components. */
function withoutIdentity(schema: object, referencePrefix: string): object {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    if (typeof value !== 'string') return value;
    if (key === '$ref') return value.replace(referencePrefix, '#/components/schemas/');
    return key === 'id' || key === '$id' || key === '$schema' ? undefined : value;
  });
}
