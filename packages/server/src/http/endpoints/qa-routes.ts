import { Page } from '@guise/contract/jobs.ts';
import {
  FilterReady,
  FilterReadyChange,
  NewQaRun,
  QaCell,
  QaCellChange,
  QaPrice,
  QaPriceQuery,
  QaRun,
  QaRunList,
} from '@guise/contract/qa-runs.ts';
import type { FastifyReply } from 'fastify';
import { toRun } from '../../accounts/authority.ts';
import { changeReady } from '../../catalog/filter-ready.ts';
import { createOnce } from '../../jobs/create-once.ts';
import { priceQaRun } from '../../qa/plan-qa-run.ts';
import { changeCell, qaCellNotFound, retryCell } from '../../qa/qa-cells.ts';
import { createQaRun, findRun, readQaRun, readQaRuns, removeQaRun, resumeQaRun } from '../../qa/qa-runs.ts';
import { preconditionOf } from '../etag.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, idOf, submitterOf } from '../request.ts';
import { json, none, ok, type Route, type RouteRequest, route } from '../route.ts';
import { cellLinksFor } from './blob-links.ts';
import { idempotencyOf } from './submit-run.ts';

const tag = 'QA runs';
const read = { scopes: ['read'] } as const;
const manage = { scopes: ['manage'] } as const;

const cellIdOf = (request: RouteRequest) => idOf(request, 'cell_id');

function shownRun(parts: HttpParts, request: RouteRequest, id = idOf(request)): Promise<QaRun> {
  const accountId = callerOf(request).id;
  return readQaRun(parts.db, cellLinksFor(parts, request, accountId), accountId, id);
}

async function shownCell(parts: HttpParts, request: RouteRequest, reply: FastifyReply): Promise<QaCell> {
  const { cells } = await shownRun(parts, request);
  const cell = cells.find(({ id }) => id === cellIdOf(request));
  if (!cell) throw qaCellNotFound();
  reply.header('etag', cell.etag);
  return cell;
}

export const qaRoutes: Route[] = [
  route({
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/qa_runs',
    operation: 'listQaRuns',
    tag,
    summary: 'QA runs of the caller, newest first',
    query: Page,
    success: ok(QaRunList),
    handle: (parts, request) => readQaRuns(parts.db, callerOf(request).id, request.query),
  }),
  route({
    ...json,
    ...manage,
    authority: toRun,
    method: 'POST',
    path: '/v1/qa_runs',
    operation: 'createQaRun',
    tag,
    summary: 'Run one or two versions of a custom filter over photos of a set; every cell is a job',
    body: NewQaRun,
    counted: 'tests',
    success: { status: 201, shape: QaRun },
    handle: (parts, request) => {
      const submitter = submitterOf(request);
      const { accountId } = submitter;
      return createOnce(parts.db, {
        accountId,
        idempotency: idempotencyOf(request),
        create: async (keepKey) =>
          shownRun(parts, request, await createQaRun(parts, submitter, request.body, keepKey)),
        find: async (id) => {
          await resumeQaRun(parts, submitter, id);
          return shownRun(parts, request, id);
        },
      });
    },
  }),
  route({
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/qa_runs/price',
    operation: 'readQaRunPrice',
    tag,
    summary: 'What a QA run would cost; lists are written as `a,b`',
    query: QaPriceQuery,
    success: ok(QaPrice),
    handle: (parts, request) => priceQaRun(parts, callerOf(request).id, request.query),
  }),
  {
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/qa_runs/{id}',
    operation: 'readQaRun',
    tag,
    summary: 'A QA run with its cells',
    success: ok(QaRun),
    handle: (parts, request) => shownRun(parts, request),
  },
  {
    ...none,
    ...manage,
    method: 'DELETE',
    path: '/v1/qa_runs/{id}',
    operation: 'deleteQaRun',
    tag,
    summary: 'Delete a QA run; jobs that have not ended are cancelled',
    success: { status: 204 },
    handle: (parts, request) => removeQaRun(parts, callerOf(request).id, idOf(request)),
  },
  route({
    ...json,
    ...manage,
    method: 'PATCH',
    path: '/v1/qa_runs/{id}/cells/{cell_id}',
    operation: 'changeQaCell',
    takesIfMatch: true,
    tag,
    summary: 'A person’s verdict on a cell, or a note',
    body: QaCellChange,
    success: ok(QaCell),
    handle: async (parts, request, reply) => {
      const run = { id: idOf(request), account_id: callerOf(request).id };
      await changeCell(parts.db, run, cellIdOf(request), request.body, preconditionOf(request));
      return shownCell(parts, request, reply);
    },
  }),
  {
    ...none,
    ...manage,
    authority: toRun,
    method: 'POST',
    path: '/v1/qa_runs/{id}/cells/{cell_id}/retry',
    operation: 'retryQaCell',
    tag,
    summary: 'Submit a cell anew once its job has ended, charged again',
    counted: 'runs',
    success: ok(QaCell),
    handle: async (parts, request, reply) => {
      const { accountId, keyId } = submitterOf(request);
      const run = await findRun(parts.db, accountId, idOf(request));
      await retryCell(parts, run, cellIdOf(request), keyId);
      return shownCell(parts, request, reply);
    },
  },
  route({
    ...json,
    ...manage,
    method: 'POST',
    path: '/v1/users/me/my-custom-filters/{id}/ready',
    operation: 'changeFilterReady',
    tag,
    summary: 'Say that the current version of a custom filter may go live, or that it may not',
    body: FilterReadyChange,
    success: ok(FilterReady),
    handle: (parts, request) => changeReady(parts.db, callerOf(request), idOf(request), request.body),
  }),
];
