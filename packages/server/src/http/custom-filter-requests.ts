import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import type { FilterTestResult } from '@guise/contract/filter-drafts.ts';
import { type FilterAddress, readCustomFilter } from '../catalog/custom-filters.ts';
import { renderWaiting } from '../catalog/filter-renders.ts';
import { readVersion } from '../catalog/filter-versions.ts';
import { detailOf, type LinkOf } from '../catalog/shown-filters.ts';
import { findEventsOffering } from '../events/events-offering.ts';
import { createOnce, type KeepKey } from '../jobs/create-once.ts';
import type { FilterTest } from '../previews/filter-tests.ts';
import { startChecks } from '../previews/version-checks.ts';
import { listChecks } from '../store/filter-draft-records.ts';
import { listAliasesOfFilter } from '../store/filter-records.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import type { LongString } from './bodies/json-scanner.ts';
import { idempotencyOf } from './endpoints/submit-run.ts';
import type { HttpParts } from './parts.ts';
import { baseUrlOf, callerOf, idOf } from './request.ts';
import type { RouteRequest } from './route.ts';

const linkMs = 7 * 24 * 3600_000;

/** Makes signed links to previews and templates of the caller. */
export function linksFor(parts: HttpParts, request: RouteRequest): LinkOf {
  const baseUrl = baseUrlOf(parts, request);
  const owner = callerOf(request).id;
  const expiresAt = Date.now() + linkMs;
  return (key) => parts.links.create(baseUrl, key, owner, expiresAt);
}

/** A filter with its definition, its aliases and the events that offer it. */
export async function shownDetail(
  parts: HttpParts,
  request: RouteRequest,
  row: CustomFilterRow,
): Promise<CustomFilterDetail> {
  const { id: filter_id, account_id } = row;
  const aliases = await parts.db.all(listAliasesOfFilter, { filter_id, account_id });
  const refs = [filter_id, ...aliases.map(({ id }) => id)];
  const events = await findEventsOffering(parts.db, account_id, refs);
  return detailOf(row, { aliases, events }, linksFor(parts, request));
}

/** Checks the live versions of filters that drafts of aliases and events name, where they were not checked before: `most` of them. */
export async function startLiveChecks(
  parts: HttpParts,
  filters: readonly CustomFilterRow[],
  { anew = false, most = Number.POSITIVE_INFINITY } = {},
): Promise<void> {
  let begun = 0;
  for (const filter of filters) {
    if (begun === most) return;
    const { id: filter_id, version, account_id } = filter;
    if (!anew && (await parts.db.all(listChecks, { filter_id, version })).length > 0) continue;
    await startChecks(parts, filter, await readVersion(parts.db, filter, version));
    begun++;
    parts.changes.publish(renderWaiting);
    parts.changes.publish(account_id);
  }
}

/** Makes a filter once for each `Idempotency-Key`. */
export function createFilterOnce(
  parts: HttpParts,
  request: RouteRequest,
  create: (keepKey: KeepKey) => Promise<CustomFilterRow>,
): Promise<CustomFilterRow> {
  const accountId = callerOf(request).id;
  const find = (id: string) => readCustomFilter(parts.db, accountId, id);
  return createOnce(parts.db, { accountId, idempotency: idempotencyOf(request), create, find });
}

export function filterAddress(request: RouteRequest): FilterAddress {
  return { accountId: callerOf(request).id, id: idOf(request) };
}

export function filterTestResult({ png, applied, ignored }: FilterTest): FilterTestResult {
  return { images: [png.toString('base64')], applied, ignored };
}

/** A template has an image, and a workflow may have long texts. */
export function definitionLongString(path: readonly string[]): LongString {
  if (path[0] !== 'definition') return 'start';
  return path.length === 2 && path[1] === 'image' ? 'image' : 'whole';
}

/** The parts, which find the images of this request's body. */
export function partsFor(parts: HttpParts, request: RouteRequest): HttpParts {
  const asked = { accountId: callerOf(request).id };
  const uploads = request.received?.uploads;
  const readPhoto = (image: string) => parts.checks.readPhoto(uploads?.get(image) ?? image, asked);
  return { ...parts, checks: { ...parts.checks, readPhoto } };
}
