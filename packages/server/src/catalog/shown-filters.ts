import type { CustomFilter } from '@guise/contract/catalogs.ts';
import type {
  CustomFilterDetail,
  CustomFilterExport,
  CustomFilterVersion,
  ShownDefinition,
  VersionCheck,
  VersionedFilter,
} from '@guise/contract/filter-details.ts';
import { type CheckedVersion, outcomeOf } from '@guise/contract/filter-details.ts';
import { isoTime } from '../iso-time.ts';
import { imageTypeOf } from '../media/inspect-image.ts';
import type { Blobs } from '../store/blobs.ts';
import { previewKeysOf } from '../store/filter-records.ts';
import { readJson, TextList } from '../store/json-column.ts';
import type { FilterCheckRow } from '../store/qa/qa-schema.ts';
import type { CustomFilterRow, CustomFilterVersionRow } from '../store/schema.ts';
import { readTemplate } from './custom-filters.ts';
import { definitionOf } from './definitions.ts';

/** A link to a blob of the caller's. */
export type LinkOf = (key: string) => string;

export function customFilterOf(row: CustomFilterRow, linkOf: LinkOf): CustomFilter {
  return {
    id: row.id,
    name: row.name,
    filter_type: row.filter_type,
    preview_images: previewKeysOf(row).map(linkOf),
    origin: row.origin,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

export function versionedFilterOf(row: CustomFilterRow, linkOf: LinkOf): VersionedFilter {
  return {
    ...customFilterOf(row, linkOf),
    version: row.version,
    draft:
      row.draft_version === null
        ? null
        : { version: row.draft_version, changed_at: isoTime(row.draft_changed_at ?? row.updated_at) },
  };
}

/** A filter with its definition, and what runs it: these aliases and events. */
export function detailOf(
  row: CustomFilterRow,
  users: Pick<CustomFilterDetail, 'aliases' | 'events'>,
  linkOf: LinkOf,
): CustomFilterDetail {
  return {
    ...versionedFilterOf(row, linkOf),
    definition: shownDefinition(row, linkOf),
    note: row.note,
    ready: row.ready_at !== null,
    ready_by: row.ready_by,
    ready_at: row.ready_at === null ? null : isoTime(row.ready_at),
    ...users,
  };
}

export function versionOf(
  row: CustomFilterVersionRow,
  current: CustomFilterRow,
  linkOf: LinkOf,
): CustomFilterVersion {
  return {
    version: row.version,
    current: row.version === current.version,
    draft: row.draft === 1,
    name: row.name,
    definition: shownDefinition(row, linkOf),
    preview_images: previewKeysOf(row).map(linkOf),
    note: row.note,
    created_at: isoTime(row.created_at),
  };
}

/** A version with what was checked of it. A draft is shown by what its checks made. */
export function checkedVersionOf(
  row: CustomFilterVersionRow,
  current: CustomFilterRow,
  checks: readonly FilterCheckRow[],
  linkOf: LinkOf,
): CheckedVersion {
  const shown = versionOf(row, current, linkOf);
  const pictures = checks.map(({ picture }) => picture).filter((key) => key !== null);
  return {
    ...shown,
    preview_images: pictures.length > 0 ? pictures.map(linkOf) : shown.preview_images,
    outcome: outcomeOf(checks),
    checks: checks.map((check) => shownCheck(check, linkOf)),
  };
}

export const shownCheck = (
  { kind, photo, outcome, sentences, picture }: FilterCheckRow,
  linkOf: LinkOf,
): VersionCheck => ({
  kind,
  photo,
  outcome,
  sentences: readJson(TextList, sentences),
  picture_url: picture === null ? null : linkOf(picture),
});

function shownDefinition(row: Pick<CustomFilterRow, 'definition'>, linkOf: LinkOf): ShownDefinition {
  const definition = definitionOf(row);
  if (definition.kind !== 'template') return definition;
  return { kind: 'template', image_url: linkOf(definition.image) };
}

/** The body that makes the filter anew, on this server or another one. */
export async function exportOf(
  blobs: Blobs,
  row: Pick<CustomFilterRow, 'name' | 'filter_type' | 'definition'>,
): Promise<CustomFilterExport> {
  const { name, filter_type } = row;
  const definition = definitionOf(row);
  if (definition.kind !== 'template') return { name, filter_type, definition };
  const photo = await readTemplate(blobs, definition.image);
  const image = `data:${imageTypeOf(photo)};base64,${photo.toString('base64')}`;
  return { name, filter_type, definition: { kind: 'template', image } };
}
