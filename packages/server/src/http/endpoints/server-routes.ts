import { families } from '@guise/contract/families/families.ts';
import { PublicServerReport } from '@guise/contract/operator/operator.ts';
import { z } from 'zod';
import { checkMetricsAccess } from '../metrics-access.ts';
import { sendReferenceFile } from '../reference-page.ts';
import { ok, open, type Route } from '../route.ts';
import { sendOptionPreview, sendPreview, sendSample, sendSignedFile } from './files.ts';

export const serverRoutes: Route[] = [
  {
    ...open,
    method: 'GET',
    path: '/health',
    operation: 'readHealth',
    summary: 'The process is alive',
    answersWhenOverloaded: true,
    success: ok(z.object({ status: z.literal('ok') })),
    handle: async () => ({ status: 'ok' }),
  },
  {
    ...open,
    method: 'GET',
    path: '/ready',
    operation: 'readReadiness',
    summary:
      'The server takes work; 503 while it starts or stops, while its disk is full, and while nothing can be made',
    success: ok(
      z.object({
        status: z.enum(['ready', 'not ready']),
        engines: z.array(
          z.object({
            name: z.string(),
            families: z.array(z.string()),
            servers: z
              .array(PublicServerReport)
              .optional()
              .meta({ description: 'In the order of the engines file, where the engine has servers' }),
          }),
        ),
        families_without_engine: z.array(z.string()),
        families_unavailable: z.array(z.string()).meta({
          description: 'Those whose servers are all away, with no other engine that makes them',
        }),
      }),
    ),
    handle: async (parts, _request, reply) => {
      const engines = await parts.engines();
      const made = new Set(engines.flatMap((engine) => engine.families));
      const unavailable = await parts.unavailableFamilies();
      const makesNothing = made.size > 0 && unavailable.length === made.size;
      const ready = parts.ready() && !makesNothing && !(await parts.disk.isShort());
      if (!ready) reply.code(503);
      return {
        status: ready ? 'ready' : 'not ready',
        engines,
        families_without_engine: families.map((family) => family.name).filter((name) => !made.has(name)),
        families_unavailable: unavailable,
      };
    },
  },
  {
    ...open,
    method: 'GET',
    path: '/metrics',
    operation: 'readMetrics',
    summary: 'Figures for Prometheus: with the token of `GUISE_METRICS_TOKEN`, or from the same machine',
    answersWhenOverloaded: true,
    success: { status: 200 },
    handle: async (parts, request, reply) => {
      checkMetricsAccess(parts.metricsToken, request);
      const { type, text } = await parts.metrics.render();
      reply.type(type);
      return text;
    },
  },
  {
    ...open,
    method: 'GET',
    path: '/docs',
    operation: 'showReference',
    summary: 'This interface as a page to read and try',
    isPage: true,
    success: { status: 200 },
    handle: (_parts, request, reply) => sendReferenceFile('index.html', request, reply),
  },
  {
    ...open,
    method: 'GET',
    path: '/docs/{file}',
    operation: 'readReferenceFile',
    summary: 'Files of the reference page',
    isPage: true,
    success: { status: 200 },
    handle: (_parts, request, reply) => sendReferenceFile(request.params.file ?? '', request, reply),
  },
  {
    ...open,
    method: 'GET',
    path: '/files/*',
    operation: 'readFile',
    tag: 'Files',
    summary: 'A signed file: a video or a preview',
    success: { status: 200 },
    handle: sendSignedFile,
  },
  {
    ...open,
    method: 'GET',
    path: '/previews/options/{list}/{file}',
    operation: 'readOptionPreview',
    tag: 'Files',
    summary: 'Preview of something that filters can be made of',
    success: { status: 200 },
    handle: sendOptionPreview,
  },
  {
    ...open,
    method: 'GET',
    path: '/previews/{catalog}/{file}',
    operation: 'readCatalogPreview',
    tag: 'Files',
    summary: 'Preview of a catalog filter',
    success: { status: 200 },
    handle: sendPreview,
  },
  {
    ...open,
    method: 'GET',
    path: '/samples/{file}',
    operation: 'readSample',
    tag: 'Files',
    summary: 'A photo that comes with the server, or its thumbnail',
    success: { status: 200 },
    handle: sendSample,
  },
  {
    ...open,
    method: 'GET',
    path: '/openapi.json',
    operation: 'readOpenApi',
    summary: 'This interface as an OpenAPI document',
    success: ok(z.looseObject({ openapi: z.string() })),
    handle: async (parts, request, reply) => {
      reply.type('application/json; charset=utf-8');
      return request.server.openApi(parts, request);
    },
  },
];
