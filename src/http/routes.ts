import { z } from 'zod';
import { logIn } from '../accounts/passwords.ts';
import { changeAlias, createAlias, readAlias, readAliases, removeAlias } from '../catalog/aliases.ts';
import { type CatalogName, filterTypeOf } from '../catalog/catalog.ts';
import {
  changeCustomFilter,
  createCustomFilter,
  customFilterOf,
  readCustomFilter,
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
import { baseUrlOf, type Call, callerOf, idOf, Reply } from './call.ts';
import { answerDocs, answerDocsFile } from './docs.ts';
import { answerFile, answerPreview } from './files.ts';
import { openApi } from './openapi.ts';
import type { HttpParts } from './parts.ts';
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
  /** Data for a JSON answer, nothing, or a `Reply`. */
  handle(parts: HttpParts, call: Call): Promise<unknown>;
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
  handle: (parts, call) => answerRun(parts, family, call),
}));

const statuses: Route[] = [...Map.groupBy(families, (family) => family.status)].map(([path, sharing]) => ({
  ...none,
  method: 'POST',
  path,
  tag: 'Status',
  summary: `Status of ${sharing.map((family) => family.title).join('; ')}`,
  success: ok(sharing[0]!.output === 'video' ? VideoJob : ImageJob),
  handle: (parts, call) => answerStatus(parts, path, call),
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
  handle: async (parts, call) => catalogEntries(parts, catalog, baseUrlOf(parts, call)),
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

function shownFilter(parts: HttpParts, call: Call, row: CustomFilterRow): CustomFilter {
  const baseUrl = baseUrlOf(parts, call);
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
    handle: async (parts, call) =>
      (await readCustomFilters(parts.db, callerOf(call).id)).map((row) => shownFilter(parts, call, row)),
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
    handle: async (parts, call) => {
      const wanted = shaped(NewCustomFilter, givenBody(call));
      const row = await createCustomFilter(parts, callerOf(call).id, wanted);
      parts.previews.make(row.id);
      return shownFilter(parts, call, row);
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
    handle: async (parts, call) => {
      const change = shaped(CustomFilterChange, givenBody(call));
      const row = await changeCustomFilter(parts, callerOf(call).id, idOf(call), change);
      if (change.definition) parts.previews.make(row.id);
      return shownFilter(parts, call, row);
    },
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/users/me/my-custom-filters/{id}/test',
    tag: 'Custom filters',
    summary: 'What a custom filter makes of a sample photo, uncharged',
    success: ok(
      z.object({ images: z.array(z.string()), applied: z.array(z.string()), ignored: z.array(z.string()) }),
    ),
    handle: async (parts, call) => {
      const row = await readCustomFilter(parts.db, callerOf(call).id, idOf(call));
      const { png, applied, ignored } = await parts.previews.try(row);
      return { images: [png.toString('base64')], applied, ignored };
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
    handle: async (parts, call) => {
      const force = (call.query as { force?: string }).force === 'true';
      await removeCustomFilter(parts, callerOf(call).id, idOf(call), force);
    },
  },
];

const aliasList = {
  ...none,
  method: 'GET',
  tag: 'Aliases',
  summary: 'Aliases of the caller',
  success: ok(z.array(Alias)),
  handle: (parts: HttpParts, call: Call) => readAliases(parts.db, callerOf(call)),
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
    handle: (parts, call) => createAlias(parts.db, callerOf(call), shaped(NewAlias, givenBody(call))),
  },
  {
    ...none,
    method: 'GET',
    path: '/api/alias/{id}/',
    tag: 'Aliases',
    summary: 'Resolve an alias',
    success: ok(Alias),
    handle: (parts, call) => readAlias(parts.db, callerOf(call), idOf(call)),
  },
  {
    ...json,
    method: 'PATCH',
    path: '/api/alias/{id}/',
    tag: 'Aliases',
    summary: 'Point an alias to another filter, or change its project',
    body: AliasChange,
    success: ok(Alias),
    handle: (parts, call) =>
      changeAlias(parts.db, callerOf(call), idOf(call), shaped(AliasChange, givenBody(call))),
  },
  {
    ...none,
    method: 'DELETE',
    path: '/api/alias/{id}/',
    tag: 'Aliases',
    summary: 'Delete an alias',
    success: { status: 204 },
    handle: (parts, call) => removeAlias(parts.db, callerOf(call), idOf(call)),
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
    handle: (parts, call) => readJobs(parts.db, callerOf(call).id, shaped(Page, call.query)),
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/jobs/{id}/cancel',
    tag: 'Jobs',
    summary: 'Cancel a job: it ends FAILED and its credits come back',
    success: ok(JobListEntry),
    handle: async (parts, call) => entryOf(await cancel(parts, callerOf(call).id, idOf(call))),
  },
  {
    ...none,
    method: 'DELETE',
    path: '/v1/jobs/{id}',
    tag: 'Jobs',
    summary: 'Erase a job with its photos and results, now',
    success: { status: 204 },
    handle: (parts, call) => erase(parts, callerOf(call).id, idOf(call)),
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
    handle: async (parts, call) => {
      const form = shaped(TokenForm, call.body);
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
    handle: (parts, call) => readCredits(parts.db, callerOf(call).id, shaped(Page, call.query)),
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
    handle: async (parts) => {
      const engines = parts.engines();
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
    path: '/openapi.json',
    summary: 'This interface as an OpenAPI document',
    success: ok(z.looseObject({ openapi: z.string() })),
    handle: async (parts, call) => openApi(routes, baseUrlOf(parts, call)),
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
