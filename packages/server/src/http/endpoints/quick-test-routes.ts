import { Page } from '@guise/contract/jobs.ts';
import {
  CreatedQuickTestLink,
  NewQuickTestLink,
  NewQuickTestRun,
  QuickTest,
  QuickTestLink,
  QuickTestLinkChange,
  QuickTestLinkList,
  QuickTestRun,
  StartedQuickTestRun,
} from '@guise/contract/quick-tests.ts';
import type { FastifyReply } from 'fastify';
import { toLetRun, toManageOthers } from '../../accounts/authority.ts';
import { createOnce } from '../../jobs/create-once.ts';
import { readGuestRun, readQuickTest, startGuestRun } from '../../quick-tests/guest-runs.ts';
import {
  changeQuickTestLink,
  createQuickTestLink,
  readQuickTestLink,
  readQuickTestLinks,
  removeQuickTestLink,
} from '../../quick-tests/quick-test-links.ts';
import { quickTestLinkOf } from '../access/guest-access.ts';
import { guestBaseUrlOf } from '../access/guest-address.ts';
import { quickTestAudience } from '../access/link-audiences.ts';
import { preconditionOf, setETag } from '../etag.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, disconnectSignal, idOf } from '../request.ts';
import { imageBodyBytes, json, none, ok, type Route, type RouteRequest, route } from '../route.ts';
import { cellLinksFor } from './blob-links.ts';
import { waitOf } from './job-status.ts';
import { idempotencyOf } from './submit-run.ts';

const tag = 'Quick tests';
const read = { scopes: ['read'] } as const;
const manage = { scopes: ['manage'] } as const;
const guest = { access: 'guest', scopes: [], tag } as const;

async function shownLink(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
  id = idOf(request),
): Promise<QuickTestLink> {
  const { version, link } = await readQuickTestLink(parts.db, callerOf(request).id, id);
  setETag(reply, version);
  return link;
}

/** Links to files for the guests of the link of the request, until it is deleted. */
function linksForGuest(parts: HttpParts, request: RouteRequest) {
  const { id, account_id } = quickTestLinkOf(request);
  return cellLinksFor(parts, request, account_id, quickTestAudience(id));
}

export const quickTestRoutes: Route[] = [
  route({
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/quick_test_links',
    operation: 'listQuickTestLinks',
    tag,
    summary: 'Quick test links of the caller, newest first',
    query: Page,
    success: ok(QuickTestLinkList),
    handle: (parts, request) => readQuickTestLinks(parts.db, callerOf(request).id, request.query),
  }),
  route({
    ...json,
    ...manage,
    authority: toLetRun,
    method: 'POST',
    path: '/v1/quick_test_links',
    operation: 'createQuickTestLink',
    tag,
    summary: 'Make a link by which guests without an account try a filter; its URL is shown once',
    body: NewQuickTestLink,
    success: { status: 201, shape: CreatedQuickTestLink },
    handle: async (parts, request, reply) => {
      const caller = callerOf(request);
      return createOnce<CreatedQuickTestLink>(parts.db, {
        accountId: caller.id,
        idempotency: idempotencyOf(request),
        create: async (keepKey) => {
          const { id, token } = await createQuickTestLink(parts.db, caller, request.body, keepKey);
          const url = `${await guestBaseUrlOf(parts, request)}/studio/quick-test/${token}`;
          return { ...(await shownLink(parts, request, reply, id)), url };
        },
        find: async (id) => ({ ...(await shownLink(parts, request, reply, id)), url: null }),
      });
    },
  }),
  {
    ...none,
    ...read,
    method: 'GET',
    path: '/v1/quick_test_links/{id}',
    operation: 'readQuickTestLink',
    tag,
    summary: 'A quick test link',
    success: ok(QuickTestLink),
    handle: (parts, request, reply) => shownLink(parts, request, reply),
  },
  route({
    ...json,
    ...manage,
    authority: toLetRun,
    method: 'PATCH',
    path: '/v1/quick_test_links/{id}',
    operation: 'changeQuickTestLink',
    takesIfMatch: true,
    tag,
    summary: 'Change the name, the runs or the end of a quick test link',
    body: QuickTestLinkChange,
    success: ok(QuickTestLink),
    handle: async (parts, request, reply) => {
      const check = preconditionOf(request);
      await changeQuickTestLink(parts.db, callerOf(request), idOf(request), request.body, check);
      return shownLink(parts, request, reply);
    },
  }),
  {
    ...none,
    ...manage,
    authority: toManageOthers,
    method: 'DELETE',
    path: '/v1/quick_test_links/{id}',
    operation: 'deleteQuickTestLink',
    takesIfMatch: true,
    tag,
    summary: 'Delete a quick test link: nobody can use it any more',
    success: { status: 204 },
    handle: (parts, request) =>
      removeQuickTestLink(parts.db, callerOf(request).id, idOf(request), preconditionOf(request)),
  },
  {
    ...none,
    ...guest,
    countedAs: 'reads',
    method: 'GET',
    path: '/v1/quick_test',
    operation: 'readQuickTest',
    summary: 'What the guest of a link may try',
    success: ok(QuickTest),
    handle: (parts, request) => {
      const link = quickTestLinkOf(request);
      return readQuickTest(parts.db, link, linksForGuest(parts, request).toBlob);
    },
  },
  route({
    ...json,
    ...guest,
    countedAs: 'runs',
    method: 'POST',
    path: '/v1/quick_test/runs',
    operation: 'startQuickTestRun',
    summary: 'A guest’s photo through the filter of the link, charged to the link’s account',
    body: NewQuickTestRun,
    maxBody: imageBodyBytes,
    longString: (path) => (path.length === 1 && path[0] === 'image' ? 'image' : 'start'),
    success: { status: 201, shape: StartedQuickTestRun },
    handle: (parts, request, reply) => {
      const image = request.received?.uploads.get(request.body.image) ?? request.body.image;
      const wanted = { ...request.body, image };
      const signal = disconnectSignal(reply);
      return startGuestRun(parts, quickTestLinkOf(request), wanted, idempotencyOf(request), signal);
    },
  }),
  {
    ...none,
    ...guest,
    countedAs: 'reads',
    method: 'GET',
    path: '/v1/quick_test/runs/{id}',
    operation: 'readQuickTestRun',
    summary: 'A run of the guest’s link; `Prefer: wait=N` holds the answer until it has ended',
    success: ok(QuickTestRun),
    handle: async (parts, request, reply) => {
      const link = quickTestLinkOf(request);
      const wait = { ms: waitOf(request.headers.prefer) ?? 0, signal: disconnectSignal(reply) };
      const { run, pictureKey, expiresAt } = await readGuestRun(parts, link, idOf(request), wait);
      const { toResult } = linksForGuest(parts, request);
      return { ...run, image_url: pictureKey && toResult(pictureKey, expiresAt) };
    },
  },
];
