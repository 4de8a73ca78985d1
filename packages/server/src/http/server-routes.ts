import { families } from '@guise/contract/families.ts';
import { z } from 'zod';
import { Reply } from './call.ts';
import { answerDocs, answerDocsFile } from './docs.ts';
import { answerFile, answerPreview } from './files.ts';
import { ok, open, type Route } from './route.ts';

export const serverRoutes: Route[] = [
  {
    ...open,
    method: 'GET',
    path: '/health',
    summary: 'The process is alive',
    success: ok(z.object({ status: z.literal('ok') })),
    handle: async () => ({ status: 'ok' }),
  },
  {
    ...open,
    method: 'GET',
    path: '/ready',
    summary: 'The server takes work; 503 while it starts or stops',
    success: ok(
      z.object({
        status: z.enum(['ready', 'not ready']),
        engines: z.array(z.object({ name: z.string(), families: z.array(z.string()) })),
        families_without_engine: z.array(z.string()),
      }),
    ),
    handle: async (parts) => {
      const engines = await parts.engines();
      const made = new Set(engines.flatMap((engine) => engine.families));
      const state = {
        status: parts.ready() ? 'ready' : 'not ready',
        engines,
        families_without_engine: families.map((family) => family.name).filter((name) => !made.has(name)),
      };
      return new Reply(
        JSON.stringify(state),
        { 'content-type': 'application/json' },
        parts.ready() ? 200 : 503,
      );
    },
  },
  {
    ...open,
    method: 'GET',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    success: { status: 200 },
    handle: async (parts) => {
      const { type, text } = await parts.metrics.render();
      return new Reply(text, { 'content-type': type });
    },
  },
  {
    ...open,
    method: 'GET',
    path: '/docs',
    summary: 'This interface as a page to read and try',
    success: { status: 200 },
    handle: () => answerDocs(),
  },
  {
    ...open,
    method: 'GET',
    path: '/docs/{file}',
    summary: 'Files of the reference page',
    success: { status: 200 },
    handle: (_, call) => answerDocsFile(call),
  },
  {
    ...open,
    method: 'GET',
    path: '/files/*',
    tag: 'Files',
    summary: 'A signed file: a video or a preview',
    success: { status: 200 },
    handle: answerFile,
  },
  {
    ...open,
    method: 'GET',
    path: '/previews/{catalog}/{file}',
    tag: 'Files',
    summary: 'Preview of a catalog filter',
    success: { status: 200 },
    handle: answerPreview,
  },
];
