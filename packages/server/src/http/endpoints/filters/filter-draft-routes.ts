import {
  CheckedVersion,
  CustomFilterDetail,
  DraftChoice,
  GoLive,
  NewDraft,
} from '@guise/contract/filter-details.ts';
import { toRun } from '../../../accounts/authority.ts';
import { readCustomFilter } from '../../../catalog/custom-filters.ts';
import { chooseDraft, makeDraftLive, saveDraft } from '../../../catalog/draft-versions.ts';
import { renderWaiting } from '../../../catalog/filter-renders.ts';
import { readVersion, versionNumber } from '../../../catalog/filter-versions.ts';
import { checkedVersionOf } from '../../../catalog/shown-filters.ts';
import { createOnce } from '../../../jobs/create-once.ts';
import { startChecks } from '../../../previews/version-checks.ts';
import { listChecks } from '../../../store/filter-draft-records.ts';
import {
  definitionLongString,
  filterAddress,
  linksFor,
  partsFor,
  shownDetail,
} from '../../custom-filter-requests.ts';
import { preconditionOf, setETag } from '../../etag.ts';
import type { HttpParts } from '../../parts.ts';
import { callerOf } from '../../request.ts';
import {
  anyAccountScope,
  imageBodyBytes,
  json,
  none,
  ok,
  type Route,
  type RouteRequest,
  route,
} from '../../route.ts';
import { idempotencyOf } from '../submit-run.ts';

const path = '/v1/users/me/my-custom-filters/{id}';
const tag = 'Custom filters';
const manage = { scopes: ['manage'] } as const;

const versionOfPath = (request: RouteRequest) => versionNumber(request.params.version);

async function shownVersion(
  parts: HttpParts,
  request: RouteRequest,
  version: number,
): Promise<CheckedVersion> {
  const { accountId, id } = filterAddress(request);
  const filter = await readCustomFilter(parts.db, accountId, id);
  const row = await readVersion(parts.db, filter, version);
  const checks = await parts.db.all(listChecks, { filter_id: id, version });
  return checkedVersionOf(row, filter, checks, linksFor(parts, request));
}

async function checkVersion(parts: HttpParts, request: RouteRequest, version: number): Promise<void> {
  const { accountId, id } = filterAddress(request);
  const filter = await readCustomFilter(parts.db, accountId, id);
  await startChecks(parts, filter, await readVersion(parts.db, filter, version));
  parts.changes.publish(renderWaiting);
  parts.changes.publish(accountId);
}

/** From a draft to the version that jobs are made with. */
export const filterDraftRoutes: Route[] = [
  route({
    ...json,
    ...manage,
    authority: toRun,
    method: 'POST',
    path: `${path}/drafts`,
    operation: 'createCustomFilterDraft',
    tag,
    summary: 'Save a version of a custom filter that does not go live, and check it',
    counted: 'tests',
    body: NewDraft,
    maxBody: imageBodyBytes,
    longString: definitionLongString,
    success: { status: 201, shape: CheckedVersion },
    handle: (parts, request) => {
      const address = filterAddress(request);
      return createOnce(parts.db, {
        accountId: address.accountId,
        idempotency: idempotencyOf(request),
        create: async (keepKey) => {
          const version = await saveDraft(partsFor(parts, request), address, request.body, keepKey);
          await checkVersion(parts, request, version);
          return shownVersion(parts, request, version);
        },
        find: (version) => shownVersion(parts, request, Number(version)),
      });
    },
  }),
  route({
    ...json,
    ...manage,
    method: 'PATCH',
    path: `${path}/draft`,
    operation: 'chooseCustomFilterDraft',
    tag,
    summary: 'Say which draft of a custom filter is worked on, or that none is',
    body: DraftChoice,
    success: ok(CustomFilterDetail),
    handle: async (parts, request) => {
      const { accountId, id } = filterAddress(request);
      await chooseDraft(parts, { accountId, id }, request.body.version);
      parts.changes.publish(accountId);
      return shownDetail(parts, request, await readCustomFilter(parts.db, accountId, id));
    },
  }),
  {
    ...none,
    method: 'GET',
    path: `${path}/versions/{version}`,
    operation: 'readCustomFilterVersion',
    tag,
    summary: 'A version of a custom filter with what was checked of it',
    scopes: anyAccountScope,
    success: ok(CheckedVersion),
    handle: (parts, request) => shownVersion(parts, request, versionOfPath(request)),
  },
  {
    ...none,
    ...manage,
    authority: toRun,
    method: 'POST',
    path: `${path}/versions/{version}/check`,
    operation: 'checkCustomFilterVersion',
    tag,
    summary: 'Check a version of a custom filter anew, uncharged',
    counted: 'tests',
    success: ok(CheckedVersion),
    handle: async (parts, request) => {
      const version = versionOfPath(request);
      await checkVersion(parts, request, version);
      return shownVersion(parts, request, version);
    },
  },
  route({
    ...json,
    ...manage,
    method: 'POST',
    path: `${path}/versions/{version}/live`,
    operation: 'makeCustomFilterVersionLive',
    takesIfMatch: true,
    tag,
    summary: 'Make a draft of a custom filter the version that jobs are made with',
    body: GoLive,
    success: ok(CustomFilterDetail),
    handle: async (parts, request, reply) => {
      const version = versionOfPath(request);
      const wanted = { version, by: callerOf(request).email, unchecked: request.body.unchecked };
      const row = await makeDraftLive(parts, filterAddress(request), wanted, preconditionOf(request));
      parts.changes.publish(renderWaiting);
      parts.changes.publish(row.account_id);
      setETag(reply, row.version);
      return shownDetail(parts, request, row);
    },
  }),
];
