import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { logIn } from '../accounts/passwords.ts';
import { changeAlias, createAlias, readAlias, readAliases, removeAlias } from '../catalog/aliases.ts';
import { type CatalogName, filterTypeOf } from '../catalog/catalog.ts';
import {
  changeCustomFilter,
  createCustomFilter,
  customFilterOf,
  readCustomFilters,
  removeCustomFilter,
} from '../catalog/custom-filters.ts';
import { Credits, Token, TokenForm } from '../contract/account.ts';
import { Alias, AliasChange, NewAlias } from '../contract/aliases.ts';
import { CatalogEntry, CustomFilter, CustomFilterChange, NewCustomFilter } from '../contract/catalogs.ts';
import { ImageJob, JobList, JobListEntry, Page, Submitted, VideoJob } from '../contract/jobs.ts';
import { readCredits } from '../credits/ledger.ts';
import { cancel, erase } from '../jobs/end.ts';
import { families } from '../jobs/families.ts';
import { entryOf, readJobs } from '../jobs/read.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import { type BodyKind, givenBody } from './body.ts';
import { answerDocs, answerDocsFile } from './docs.ts';
import { answerFile, answerPreview } from './files.ts';
import { openApi } from './openapi.ts';
import type { HttpParts } from './parts.ts';
import { baseUrlOf, callerOf } from './request.ts';
import { answerRun } from './run.ts';
import { shaped } from './shape.ts';
import { answerStatus } from './status.ts';

/** An endpoint: who may call it, what it takes and what it answers. The OpenAPI document is made from these rows. */
export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  access: 'public' | 'account';
  tag: string;
  summary: string;
  bodyKind: BodyKind;
  body?: z.ZodType;
  query?: z.ZodType;
  maxBody?: number;
  /** The answer's status and shape; no shape when it is empty or not JSON. */
  success: { status: number; shape?: z.ZodType };
  handle(parts: HttpParts, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

const json = { bodyKind: 'json', access: 'account' } as const;
const none = { bodyKind: 'none', access: 'account' } as const;
const open = { bodyKind: 'none', access: 'public', tag: 'Server' } as const;
const ok = (shape: z.ZodType) => ({ status: 200, shape });

/** 20 MB of image are 28 MB of base64. */
const imageBodyBytes = 28 * 1024 * 1024;

const runs: Route[] = families.map((family) => ({
  ...json,
  method: 'POST',
  path: family.run,
  tag: 'Runs',
  summary: family.title,
  body: family.schema,
  maxBody: family.maxImages * imageBodyBytes + 64 * 1024,
  success: ok(Submitted),
  handle: (parts, request, reply) => answerRun(parts, family, request, reply),
}));

const statuses: Route[] = [...Map.groupBy(families, (family) => family.status)].map(([path, sharing]) => ({
  ...none,
  method: 'POST',
  path,
  tag: 'Status',
  summary: `Status of ${sharing.map((family) => family.title).join('; ')}`,
  success: ok(sharing[0]!.output === 'video' ? VideoJob : ImageJob),
  handle: (parts, request, reply) => answerStatus(parts, path, request, reply),
}));

const catalogs: Route[] = (
  [
    ['/v1/filters/', 'face_swap', 'Face swap filters'],
    ['/v5/filters', 'face_swap', 'Face swap filters for v5'],
    ['/v6/filters', 'face_swap', 'Face swap filters for v6'],
    ['/v1/realistic_multiswap_styles/', 'realistic', 'Multi swap styles, realistic'],
    ['/v1/stylized_multiswap_styles/', 'stylized', 'Multi swap styles, stylized'],
    ['/v4/multi_swap_styles/', 'realistic', 'Multi swap styles for v4'],
  ] as const
).map(([path, catalog, summary]) => ({
  ...none,
  method: 'GET',
  path,
  tag: 'Catalogs',
  summary,
  success: ok(z.array(CatalogEntry)),
  handle: async (parts, request) => catalogEntries(parts, catalog, baseUrlOf(parts, request)),
}));

function catalogEntries(parts: HttpParts, catalog: CatalogName, baseUrl: string): CatalogEntry[] {
  return parts.catalog.list(catalog).map((filter) => ({
    id: String(filter.id),
    name: filter.name,
    preview_url: `${baseUrl}/previews/${catalog}/${filter.id}.webp`,
    modes: filter.modes,
    filter_type: filterTypeOf(catalog),
  }));
}

const previewLinkMs = 7 * 24 * 3600_000;

function shownFilter(parts: HttpParts, request: FastifyRequest, row: CustomFilterRow): CustomFilter {
  const baseUrl = baseUrlOf(parts, request);
  return customFilterOf(row, (key) =>
    parts.links.to(baseUrl, key, row.account_id, Date.now() + previewLinkMs),
  );
}

const customFilters: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/users/me/my-custom-filters',
    tag: 'Custom filters',
    summary: 'Custom filters of the caller',
    success: ok(z.array(CustomFilter)),
    handle: async (parts, request) =>
      (await readCustomFilters(parts.db, callerOf(request).id)).map((row) =>
        shownFilter(parts, request, row),
      ),
  },
  {
    ...json,
    method: 'POST',
    path: '/v1/users/me/my-custom-filters',
    tag: 'Custom filters',
    summary: 'Make a custom filter',
    body: NewCustomFilter,
    maxBody: imageBodyBytes,
    success: { status: 201, shape: CustomFilter },
    handle: async (parts, request) => {
      const wanted = shaped(NewCustomFilter, givenBody(request));
      const row = await createCustomFilter(parts, callerOf(request).id, wanted);
      parts.previews.make(row.id);
      return shownFilter(parts, request, row);
    },
  },
  {
    ...json,
    method: 'PATCH',
    path: '/v1/users/me/my-custom-filters/{id}',
    tag: 'Custom filters',
    summary: 'Change a custom filter',
    body: CustomFilterChange,
    maxBody: imageBodyBytes,
    success: ok(CustomFilter),
    handle: async (parts, request) => {
      const change = shaped(CustomFilterChange, givenBody(request));
      const row = await changeCustomFilter(parts, callerOf(request).id, idOf(request), change);
      if (change.definition) parts.previews.make(row.id);
      return shownFilter(parts, request, row);
    },
  },
  {
    ...none,
    method: 'DELETE',
    path: '/v1/users/me/my-custom-filters/{id}',
    tag: 'Custom filters',
    summary: 'Delete a custom filter; `?force=true` even if aliases point to it',
    query: z.object({ force: z.enum(['true', 'false']).optional() }),
    success: { status: 204 },
    handle: async (parts, request) => {
      const force = (request.query as { force?: string }).force === 'true';
      await removeCustomFilter(parts, callerOf(request).id, idOf(request), force);
    },
  },
];

const aliasList = {
  ...none,
  method: 'GET',
  tag: 'Aliases',
  summary: 'Aliases of the caller',
  success: ok(z.array(Alias)),
  handle: (parts: HttpParts, request: FastifyRequest) => readAliases(parts.db, callerOf(request)),
} as const;

const aliases: Route[] = [
  { ...aliasList, path: '/api/alias/' },
  { ...aliasList, path: '/my-aliases/' },
  {
    ...json,
    method: 'POST',
    path: '/api/alias/',
    tag: 'Aliases',
    summary: 'Make an alias',
    body: NewAlias,
    success: { status: 201, shape: Alias },
    handle: (parts, request) =>
      createAlias(parts.db, callerOf(request), shaped(NewAlias, givenBody(request))),
  },
  {
    ...none,
    method: 'GET',
    path: '/api/alias/{id}/',
    tag: 'Aliases',
    summary: 'Resolve an alias',
    success: ok(Alias),
    handle: (parts, request) => readAlias(parts.db, callerOf(request), idOf(request)),
  },
  {
    ...json,
    method: 'PATCH',
    path: '/api/alias/{id}/',
    tag: 'Aliases',
    summary: 'Point an alias to another filter, or change its project',
    body: AliasChange,
    success: ok(Alias),
    handle: (parts, request) =>
      changeAlias(parts.db, callerOf(request), idOf(request), shaped(AliasChange, givenBody(request))),
  },
  {
    ...none,
    method: 'DELETE',
    path: '/api/alias/{id}/',
    tag: 'Aliases',
    summary: 'Delete an alias',
    success: { status: 204 },
    handle: (parts, request) => removeAlias(parts.db, callerOf(request), idOf(request)),
  },
];

const jobs: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/jobs',
    tag: 'Jobs',
    summary: 'Jobs of the caller, newest first',
    query: Page,
    success: ok(JobList),
    handle: (parts, request) => readJobs(parts.db, callerOf(request).id, shaped(Page, request.query)),
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/jobs/{id}/cancel',
    tag: 'Jobs',
    summary: 'Cancel a job: it ends FAILED and its credits come back',
    success: ok(JobListEntry),
    handle: async (parts, request) => entryOf(await cancel(parts, callerOf(request).id, idOf(request))),
  },
  {
    ...none,
    method: 'DELETE',
    path: '/v1/jobs/{id}',
    tag: 'Jobs',
    summary: 'Erase a job with its photos and results, now',
    success: { status: 204 },
    handle: (parts, request) => erase(parts, callerOf(request).id, idOf(request)),
  },
];

const account: Route[] = [
  {
    method: 'POST',
    path: '/token',
    access: 'public',
    bodyKind: 'form',
    tag: 'Account',
    summary: 'Get an access token for an email and a password',
    body: TokenForm,
    success: ok(Token),
    handle: async (parts, request) => {
      const form = shaped(TokenForm, request.body);
      return { ...(await logIn(parts.db, form.username, form.password)), token_type: 'bearer' };
    },
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/users/me/credits',
    tag: 'Account',
    summary: 'Balance and ledger of the caller, newest entry first',
    query: Page,
    success: ok(Credits),
    handle: (parts, request) => readCredits(parts.db, callerOf(request).id, shaped(Page, request.query)),
  },
];

const server: Route[] = [
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
    handle: async (parts, _, reply) => {
      const engines = parts.engines();
      const made = new Set(engines.flatMap((engine) => engine.families));
      reply.code(parts.ready() ? 200 : 503);
      return {
        status: parts.ready() ? 'ready' : 'not ready',
        engines,
        families_without_engine: families.map((family) => family.name).filter((name) => !made.has(name)),
      };
    },
  },
  {
    ...open,
    method: 'GET',
    path: '/metrics',
    summary: 'Figures for Prometheus',
    success: { status: 200 },
    handle: async (parts, _, reply) => {
      const { type, text } = await parts.metrics.render();
      return reply.type(type).send(text);
    },
  },
  {
    ...open,
    method: 'GET',
    path: '/openapi.json',
    summary: 'This interface as an OpenAPI document',
    success: ok(z.looseObject({ openapi: z.string() })),
    handle: async (parts, request) => openApi(routes, baseUrlOf(parts, request)),
  },
  {
    ...open,
    method: 'GET',
    path: '/docs',
    summary: 'This interface as a page to read and try',
    success: { status: 200 },
    handle: (_, request, reply) => answerDocs(request, reply),
  },
  {
    ...open,
    method: 'GET',
    path: '/docs/{file}',
    summary: 'Files of the reference page',
    success: { status: 200 },
    handle: (_, request, reply) => answerDocsFile(request, reply),
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

export const routes: readonly Route[] = [
  ...runs,
  ...statuses,
  ...catalogs,
  ...customFilters,
  ...aliases,
  ...jobs,
  ...account,
  ...server,
];

/** UUIDs are written in lower case; callers may not. */
function idOf(request: FastifyRequest): string {
  return (request.params as { id: string }).id.toLowerCase();
}
