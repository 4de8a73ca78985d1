import { mostVersions } from '@guise/contract/filter-details.ts';
import type { CustomDefinition } from '@guise/contract/filters.ts';
import type { Page } from '@guise/contract/jobs.ts';
import { AppError } from '../errors.ts';
import { nextCursor } from '../next-cursor.ts';
import type { Precondition } from '../precondition.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db, Queries } from '../store/db.ts';
import {
  clearDraftBefore,
  deleteChecksBefore,
  deleteVersion,
  highestVersion,
  renumberChecks,
  setDraft,
} from '../store/filter-draft-records.ts';
import {
  deleteVersionsBefore,
  findCustomFilter,
  findReplacedVersion,
  findVersion,
  insertVersion,
  listVersions,
  lockCustomFilterToChange,
  previewKeysOf,
  setPreviews,
  setReady,
  updateCustomFilter,
} from '../store/filter-records.ts';
import { deletePreviewsOf, deleteRender } from '../store/render-records.ts';
import type { CustomFilterRow, CustomFilterVersionRow } from '../store/schema.ts';
import { definitionOf } from './definitions.ts';
import { enqueuePreview } from './filter-renders.ts';
import { removeUnneededPreviews, removeUnneededTemplate, templateOf } from './templates.ts';

interface Parts {
  db: Db;
  blobs: Blobs;
}

/** What another version has that the one before it had not. A definition that brings no previews gets one made. */
export interface VersionChange {
  name?: string;
  definition?: string;
  previews?: string;
  note: string;
  /** The draft that goes live, and who says so. */
  draft?: { version: number; by: string };
}

export const versionNotFound = () =>
  new AppError('NOT_FOUND', 'There is no such version of this filter, or it is too old to be kept.');

/** The versions that are kept, the newest first: the live one among those that were replaced and those that are drafts. */
export async function readVersionPage(
  db: Db,
  filter: CustomFilterRow,
  { cursor, limit }: Page,
): Promise<{ rows: CustomFilterVersionRow[]; next_cursor: string | null }> {
  const before = cursor === undefined ? afterEveryVersion : versionNumber(cursor);
  const others = await db.all(listVersions, { filter_id: filter.id, before, limit });
  const rows = [...others, ...(filter.version < before ? [currentVersion(filter)] : [])]
    .toSorted((a, b) => b.version - a.version)
    .slice(0, limit);
  return { rows, next_cursor: nextCursor(rows, limit, ({ version }) => String(version)) };
}

const afterEveryVersion = 2 ** 31 - 1;

/** What a version of a custom filter says to make; undefined when it has no such version, or none any more. */
export async function definitionOfVersion(
  db: Queries,
  current: CustomFilterRow,
  version: number,
): Promise<CustomDefinition | undefined> {
  if (version === current.version) return definitionOf(current);
  const found = await db.one(findVersion, { filter_id: current.id, version });
  return found && definitionOf(found);
}

/** A version as a path or a cursor names it. */
export function versionNumber(text: string | undefined): number {
  if (!/^\d{1,9}$/.test(text ?? '')) throw versionNotFound();
  return Number(text);
}

/** The version of a filter with this number, which is the current one or is kept. */
export async function readVersion(
  db: Queries,
  filter: CustomFilterRow,
  version: number,
): Promise<CustomFilterVersionRow> {
  if (version === filter.version) return currentVersion(filter);
  const found = await db.one(findVersion, { filter_id: filter.id, version });
  if (!found) throw versionNotFound();
  return found;
}

/**
 * Makes the next version, after those of others who edit the filter too, and keeps the one it replaces. Returns false when
 * the filter was deleted meanwhile.
 */
export async function replaceVersion(
  parts: Parts,
  before: CustomFilterRow,
  changeOf: (tx: Queries, current: CustomFilterRow) => Promise<VersionChange>,
  precondition: Precondition,
): Promise<boolean> {
  const { id, account_id } = before;
  let current: CustomFilterRow | undefined = before;
  while (current) {
    const replaced: CustomFilterRow = current;
    precondition(replaced.version);
    const dropped = await parts.db.transaction(async (tx) =>
      writeVersion(tx, replaced, await changeOf(tx, replaced), parts.db.now()),
    );
    if (dropped) {
      await removeBlobsOf(parts, dropped);
      return true;
    }
    current = await parts.db.one(findCustomFilter, { id, account_id });
  }
  return false;
}

/** The number of the next version of a filter that is locked. */
export async function nextVersion(tx: Queries, { id, version }: CustomFilterRow): Promise<number> {
  const highest = await tx.one(highestVersion, { filter_id: id });
  return Math.max(version, highest?.version ?? 0) + 1;
}

/** Returns the versions that are too old to be kept any more; undefined when `current` is not the current one. */
async function writeVersion(
  tx: Queries,
  current: CustomFilterRow,
  change: VersionChange,
  now: number,
): Promise<VersionBlobs[] | undefined> {
  const { id, account_id } = current;
  // Drafts take their numbers under the same lock.
  const locked = await tx.one(lockCustomFilterToChange, { id, account_id });
  if (locked?.version !== current.version) return undefined;
  const { draft, ...changed } = change;
  // A draft keeps its number, unless a newer version went live meanwhile.
  const keepsNumber = draft !== undefined && draft.version > current.version;
  const version = keepsNumber ? draft.version : await nextVersion(tx, current);
  const next: CustomFilterRow = { ...current, ...changed, updated_at: now };
  if ((await tx.run(updateCustomFilter, { ...next, next: version })) === 0) return undefined;
  await tx.run(insertVersion, { ...currentVersion(current), previews: await ownPreviews(tx, current) });
  if (change.definition !== undefined) await showDefinition(tx, { ...next, version }, change.previews);
  if (draft) await endDraft(tx, { ...locked, version }, draft, now);
  return dropOldVersions(tx, id, version);
}

/** The draft is the live version now, which has this number. */
async function endDraft(
  tx: Queries,
  { id, account_id, version, draft_version }: CustomFilterRow,
  draft: { version: number; by: string },
  now: number,
): Promise<void> {
  await tx.run(deleteVersion, { filter_id: id, version: draft.version });
  await tx.run(renumberChecks, { filter_id: id, version: draft.version, next: version });
  await tx.run(setReady, { id, account_id, version, ready_by: draft.by, ready_at: now });
  if (draft_version === draft.version)
    await tx.run(setDraft, { id, draft_version: null, draft_changed_at: now });
}

/** Returns what names the blobs of the versions and checks that are too old to be kept beside this one. */
export const dropOldVersions = (tx: Queries, filterId: string, newest: number) =>
  dropVersionsBefore(tx, filterId, newest + 1 - mostVersions);

/** The same for a filter that is deleted. */
export const dropAllVersions = (tx: Queries, filterId: string) =>
  dropVersionsBefore(tx, filterId, afterEveryVersion);

async function dropVersionsBefore(tx: Queries, filter_id: string, before: number): Promise<VersionBlobs[]> {
  const versions = await tx.all(deleteVersionsBefore, { filter_id, before });
  const checks = await tx.all(deleteChecksBefore, { filter_id, before });
  await tx.run(clearDraftBefore, { filter_id, before });
  return [...versions, ...(await blobsOfChecks(tx, checks))];
}

/** Takes the renders of deleted checks out of the queue, and returns what names their pictures. */
export async function blobsOfChecks(
  tx: Queries,
  checks: readonly { id: string; picture: string | null }[],
): Promise<VersionBlobs[]> {
  for (const { id } of checks) await tx.one(deleteRender, { id });
  const previews = JSON.stringify(checks.map(({ picture }) => picture).filter((key) => key !== null));
  return [{ definition: null, previews }];
}

/** Nobody has said yet that this definition may go live. It has these previews, or gets one. */
async function showDefinition(
  tx: Queries,
  next: CustomFilterRow,
  previews: string | undefined,
): Promise<void> {
  const { id, account_id, definition, version } = next;
  await tx.run(setReady, { id, account_id, version, ready_by: null, ready_at: null });
  if (previews === undefined) {
    await enqueuePreview(tx, next);
  } else {
    await tx.run(deletePreviewsOf, { filter_id: id, account_id });
    await tx.run(setPreviews, { id, previews, definition });
  }
}

/** Until its preview is made, a version shows that of the version before it. */
async function ownPreviews(tx: Queries, current: CustomFilterRow): Promise<string> {
  const before = await tx.one(findReplacedVersion, { filter_id: current.id, before: current.version });
  const isInherited =
    before && before.definition !== current.definition && before.previews === current.previews;
  return isInherited ? '[]' : current.previews;
}

function currentVersion(filter: CustomFilterRow): CustomFilterVersionRow {
  const { id: filter_id, version, name, definition, previews, note, updated_at: created_at } = filter;
  return { filter_id, version, name, definition, previews, note, created_at, draft: 0 };
}

/** What names the blobs of a version, or of checks. */
type VersionBlobs = { definition: string | null; previews: string };

/** Removes the templates and previews of versions that are gone, as far as nobody else needs them. */
export async function removeBlobsOf(parts: Parts, versions: readonly VersionBlobs[]): Promise<void> {
  for (const version of versions) {
    const { definition } = version;
    if (definition !== null) await removeUnneededTemplate(parts, templateOf(definitionOf({ definition })));
    await removeUnneededPreviews(parts, previewKeysOf(version));
  }
}
