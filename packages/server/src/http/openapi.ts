import { ErrorBody } from '@guise/contract/common.ts';
import { errorCodes } from '@guise/contract/error-codes.ts';
import { z } from 'zod';
import type { Route } from './route.ts';

type Json = Record<string, unknown>;

/** The routes as an OpenAPI 3.1 document. */
export function openApi(routes: readonly Route[], baseUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace('*', '{key}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, path) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Guise',
      version: '1',
      description:
        'Pictures and videos of people: face swap, multi swap, self-prompts and video, as asynchronous jobs.',
      license: { name: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: { Error: schemaOf(ErrorBody, 'output') },
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer' },
        password: { type: 'oauth2', flows: { password: { tokenUrl: '/token', scopes: {} } } },
      },
    },
  };
}

function operation(route: Route, path: string): Json {
  const { status, shape } = route.success;
  return {
    tags: [route.tag],
    summary: route.summary,
    ...(route.access === 'account' && { security: [{ apiKey: [] }, { bearer: [] }, { password: [] }] }),
    parameters: [...pathParameters(path), ...queryParameters(route.query)],
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          [route.bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json']: {
            schema: schemaOf(route.body, 'input'),
          },
        },
      },
    }),
    responses: {
      [status]: {
        description: status === 204 ? 'Done' : 'Success',
        ...(shape && { content: { 'application/json': { schema: schemaOf(shape, 'output') } } }),
      },
      default: {
        description: `An error: one of ${Object.keys(errorCodes).join(', ')}`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodType | undefined): Json[] {
  const properties = query ? ((schemaOf(query, 'input').properties as Json) ?? {}) : {};
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return JSON.parse(JSON.stringify(rest), (key, value) =>
    key === 'id' && typeof value === 'string' ? undefined : value,
  );
}
