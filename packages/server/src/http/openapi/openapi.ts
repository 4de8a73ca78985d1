import { galleryHeader, guestHeader, wallHeader } from '@guise/contract/events/event-guests.ts';
import { quickTestHeader } from '@guise/contract/quick-tests.ts';
import type { FastifyRequest } from 'fastify';
import packageJson from '../../../package.json' with { type: 'json' };
import type { HttpParts } from '../parts.ts';
import { baseUrlOf } from '../request.ts';
import type { Route } from '../route.ts';
import { errorResponses, isCreation } from './error-responses.ts';
import { SchemaComponents } from './schema-components.ts';
import { tagDescriptions } from './tag-descriptions.ts';

/** Writes the OpenAPI document for whoever asks. */
export type OpenApi = (parts: HttpParts, request: FastifyRequest) => string;

declare module 'fastify' {
  interface FastifyInstance {
    openApi: OpenApi;
  }
}

/**
 * The rows as the text of an OpenAPI 3.1 document, whose server is where the caller reached this one. It is made when
 * somebody first asks for it.
 */
export function openApi(rows: readonly Route[]): OpenApi {
  let start: string | undefined;
  return (parts, request) => {
    start ??= JSON.stringify(documentOf(rows)).slice(0, -1);
    const servers = JSON.stringify([{ url: baseUrlOf(parts, request) }]);
    return `${start},"servers":${servers}}`;
  };
}

/** The document without its servers. */
export function documentOf(rows: readonly Route[]): object {
  const schemas = new SchemaComponents();
  const paths: Record<string, Record<string, object>> = {};
  for (const row of rows) {
    const path = row.path.replace('*', '{key}');
    paths[path] ??= {};
    paths[path][row.method.toLowerCase()] = operationOf(row, path, schemas);
  }
  return schemas.finish({
    openapi: '3.1.0',
    info: {
      title: 'Guise',
      version: packageJson.version,
      description:
        'Pictures and videos of people: face swap, multi swap, self-prompts and video, as asynchronous jobs.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags: [...new Set(rows.map(({ tag }) => tag))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    paths,
    components: { parameters, securitySchemes },
  });
}

const header = (name: string, description: string, schema: object, example: string) => ({
  name,
  in: 'header',
  description,
  schema,
  example,
});

const parameters = {
  Prefer: header(
    'Prefer',
    'How long the answer may wait for the end of the job: `wait=N`, 0 to 60 seconds',
    { type: 'string', pattern: '^wait=\\d{1,2}$' },
    'wait=30',
  ),
  IdempotencyKey: header(
    'Idempotency-Key',
    'A request that is repeated with the same key within 24 hours is answered as it was, and makes nothing anew',
    { type: 'string', minLength: 1, maxLength: 255 },
    'guest-0412',
  ),
  IfMatch: header(
    'If-Match',
    'The `ETag` that was read: the request is refused with 412 where this was changed since',
    { type: 'string' },
    '"3"',
  ),
};

const inHeader = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });

const securitySchemes = {
  apiKey: inHeader('X-API-Key', 'A key or a token. `api-key` and `apikey` are taken for this header.'),
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key or a token. `Token`, `Api-Key` and `Key` are taken for `Bearer`, and the key alone.',
  },
  basic: { type: 'http', scheme: 'basic', description: 'Any user, with a key as the password.' },
  quickTest: inHeader(quickTestHeader, 'The token of a quick test link.'),
  eventGuest: inHeader(guestHeader, 'The token of a guest’s page.'),
  wall: inHeader(wallHeader, 'The token of a wall.'),
  gallery: inHeader(galleryHeader, 'The token of a gallery.'),
  password: {
    type: 'oauth2',
    description: 'A token for the e-mail address and the password of an account.',
    flows: { password: { tokenUrl: '/token', scopes: {} } },
  },
};

/** `{id}` of the interface is `:id` of the router. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function operationOf(row: Route, path: string, schemas: SchemaComponents): object {
  const { status } = row.success;
  const sent = [...parametersOf(row, path, schemas)];
  return {
    operationId: row.operation,
    tags: [row.tag],
    summary: row.summary,
    ...(row.scopes.length > 0 && { description: describeAccess(row) }),
    security: securityOf(row),
    ...(sent.length > 0 && { parameters: sent }),
    ...((row.body || row.bodyKind === 'bytes') && {
      requestBody: { required: true, content: bodyOf(row, schemas) },
    }),
    responses: { [status]: successOf(row, schemas), ...errorResponses(row, schemas) },
  };
}

function* parametersOf(row: Route, path: string, schemas: SchemaComponents): Generator<object> {
  for (const [, name] of path.matchAll(/\{(\w+)\}/g))
    yield { name, in: 'path', required: true, schema: { type: 'string' } };
  const query = row.query && schemas.use(row.query, 'input');
  const { properties = {}, required = [] } = (query ?? {}) as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  for (const [name, { description, ...schema }] of Object.entries(properties))
    yield {
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      ...(required.includes(name) && { required: true }),
      schema,
    };
  if (path.includes('{job_id}')) yield { $ref: '#/components/parameters/Prefer' };
  if (row.takesIfMatch) yield { $ref: '#/components/parameters/IfMatch' };
  if (row.startsJob || isCreation(row)) yield { $ref: '#/components/parameters/IdempotencyKey' };
}

function bodyOf({ bodyKind, body, otherBodies }: Route, schemas: SchemaComponents): object {
  return {
    ...(body && { [bodyTypes[bodyKind]]: { schema: schemas.use(body, 'input') } }),
    ...filesOf(otherBodies),
  };
}

/** Bodies that are files, by their types. */
const filesOf = (types: readonly string[] = []) =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

const bodyTypes: Readonly<Record<Route['bodyKind'], string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  files: 'multipart/form-data',
  bytes: 'application/octet-stream',
  digest: 'application/json',
  none: 'application/json',
};

function successOf({ success }: Route, schemas: SchemaComponents): object {
  const { status, shape, otherTypes } = success;
  if (!shape) return { description: status === 204 ? 'Done' : 'Success' };
  return {
    description: 'Success',
    content: { 'application/json': { schema: schemas.use(shape, 'output') }, ...filesOf(otherTypes) },
  };
}

function describeAccess({ scopes, authority }: Route): string {
  return [
    `Scopes, of which one is needed: ${scopes.join(', ')}`,
    ...(authority?.scopes.length ? [`Needed as well: ${authority.scopes.join(', ')}`] : []),
    ...(authority?.outlives ? ['Not for keys with a budget or an expiry'] : []),
  ].join('. ');
}

/** The credentials of which a request needs one. */
function securityOf({ access, takesBasic }: Route): Record<string, string[]>[] {
  switch (access) {
    case 'public':
      return [];
    case 'account':
      return [{ apiKey: [] }, { bearer: [] }, { password: [] }, ...(takesBasic ? [{ basic: [] }] : [])];
    case 'booth':
      return [{ apiKey: [] }, { bearer: [] }];
    case 'guest':
      return [{ quickTest: [] }];
    case 'event_guest':
      return [{ eventGuest: [] }];
    case 'wall':
    case 'gallery':
      return [{ [access]: [] }];
  }
}
