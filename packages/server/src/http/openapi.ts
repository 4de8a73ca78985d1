import swagger from '@fastify/swagger';
import { ErrorBody } from '@guise/contract/common.ts';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { z } from 'zod';
import { errorStatus } from './error-status.ts';
import type { HttpParts } from './parts.ts';
import { baseUrlOf } from './request.ts';
import type { Route } from './route.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The OpenAPI document up to its last brace, written when it is first asked for. */
    openApiStart(): string;
  }
}

/** Collects the routes that are registered after it for the OpenAPI document. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
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
  // Writing the document takes 3 ms, and anybody may ask for it.
  let start: string | undefined;
  app.decorate('openApiStart', () => {
    start ??= JSON.stringify(app.swagger()).slice(0, -1);
    return start;
  });
}

/** The routes as the text of an OpenAPI 3.1 document, whose server is where the caller reached this one. */
export function openApiText(parts: HttpParts, request: FastifyRequest): string {
  const servers = JSON.stringify([{ url: baseUrlOf(parts, request) }]);
  return `${request.server.openApiStart()},"servers":${servers}}`;
}

function operationOf(row: Route): FastifySchema {
  const { status, shape } = row.success;
  return {
    tags: [row.tag],
    summary: row.summary,
    ...(row.access === 'account' && { security: [{ apiKey: [] }, { bearer: [] }, { password: [] }] }),
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
