import { mostVersions } from '@guise/contract/filter-details.ts';
import type { CustomDefinition } from '@guise/contract/filters.ts';
import type { Page } from '@guise/contract/jobs.ts';
import { AppError } from '../errors.ts';
import { nextCursor } from '../next-cursor.ts';
import type { Precondition } from '../precondition.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db, Queries } from '../store/db.ts';
import {
  deleteVersionsBefore,
  findCustomFilter,
  findVersion,
  insertVersion,
  listVersions,
  previewKeysOf,
  setPreviews,
  setReady,
  updateCustomFilter,
} from '../store/filter-records.ts';
import { deletePreviewsOf } from '../store/render-records.ts';
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
}

export const versionNotFound = () =>
  new AppError('NOT_FOUND', 'There is no such version of this filter, or it is too old to be kept.');

/** The versions that are kept, the newest first: the current one, then those that were replaced. */
export async function readVersionPage(
  db: Db,
  filter: CustomFilterRow,
  { cursor, limit }: Page,
): Promise<{ rows: CustomFilterVersionRow[]; next_cursor: string | null }> {
  const first = cursor === undefined ? [currentVersion(filter)] : [];
  const before = cursor === undefined ? filter.version : versionNumber(cursor);
  const earlier = await db.all(listVersions, { filter_id: filter.id, before, limit: limit - first.length });
  const rows = [...first, ...earlier];
  return { rows, next_cursor: nextCursor(rows, limit, ({ version }) => String(version)) };
}

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
      writeVersion(tx, replaced, await changeOf(tx, replaced)),
    );
    if (dropped) {
      await removeBlobsOf(parts, dropped);
      return true;
    }
    current = await parts.db.one(findCustomFilter, { id, account_id });
  }
  return false;
}

/** Returns the versions that are too old to be kept any more; undefined when `current` is not the current one. */
async function writeVersion(
  tx: Queries,
  current: CustomFilterRow,
  change: VersionChange,
): Promise<VersionBlobs[] | undefined> {
  const next: CustomFilterRow = { ...current, ...change, updated_at: Date.now() };
  if ((await tx.run(updateCustomFilter, next)) === 0) return undefined;
  await tx.run(insertVersion, { ...currentVersion(current), previews: await ownPreviews(tx, current) });
  if (change.definition !== undefined) await showDefinition(tx, next, change.previews);
  const before = current.version + 2 - mostVersions;
  return tx.all(deleteVersionsBefore, { filter_id: current.id, before });
}

/** Nobody has said yet that this definition may go live. It has these previews, or gets one. */
async function showDefinition(
  tx: Queries,
  next: CustomFilterRow,
  previews: string | undefined,
): Promise<void> {
  const { id, account_id, definition, version } = next;
  await tx.run(setReady, { id, account_id, version: version + 1, ready_by: null, ready_at: null });
  if (previews === undefined) {
    await enqueuePreview(tx, next);
  } else {
    await tx.run(deletePreviewsOf, { filter_id: id, account_id });
    await tx.run(setPreviews, { id, previews, definition });
  }
}

/** Until its preview is made, a version shows that of the version before it. */
async function ownPreviews(tx: Queries, current: CustomFilterRow): Promise<string> {
  const before = await tx.one(findVersion, { filter_id: current.id, version: current.version - 1 });
  const isInherited =
    before && before.definition !== current.definition && before.previews === current.previews;
  return isInherited ? '[]' : current.previews;
}

function currentVersion(filter: CustomFilterRow): CustomFilterVersionRow {
  const { id: filter_id, version, name, definition, previews, note, updated_at: created_at } = filter;
  return { filter_id, version, name, definition, previews, note, created_at };
}

type VersionBlobs = Pick<CustomFilterVersionRow, 'definition' | 'previews'>;

/** Removes the templates and previews of versions that are gone, as far as nobody else needs them. */
export async function removeBlobsOf(parts: Parts, versions: readonly VersionBlobs[]): Promise<void> {
  for (const version of versions) {
    await removeUnneededTemplate(parts, templateOf(definitionOf(version)));
    await removeUnneededPreviews(parts, previewKeysOf(version));
  }
}
