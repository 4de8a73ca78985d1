import type { CustomFilter } from '@guise/contract/catalogs.ts';
import type {
  CustomFilterDetail,
  CustomFilterExport,
  CustomFilterVersion,
  ShownDefinition,
} from '@guise/contract/filter-details.ts';
import { isoTime } from '../iso-time.ts';
import { imageTypeOf } from '../media/inspect-image.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { listAliasesOfFilter, previewKeysOf } from '../store/filter-records.ts';
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

export async function detailOf(db: Db, row: CustomFilterRow, linkOf: LinkOf): Promise<CustomFilterDetail> {
  return {
    ...customFilterOf(row, linkOf),
    definition: shownDefinition(row, linkOf),
    version: row.version,
    note: row.note,
    ready: row.ready_at !== null,
    ready_by: row.ready_by,
    ready_at: row.ready_at === null ? null : isoTime(row.ready_at),
    aliases: await db.all(listAliasesOfFilter, { filter_id: row.id, account_id: row.account_id }),
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
    name: row.name,
    definition: shownDefinition(row, linkOf),
    preview_images: previewKeysOf(row).map(linkOf),
    note: row.note,
    created_at: isoTime(row.created_at),
  };
}

function shownDefinition(row: Pick<CustomFilterRow, 'definition'>, linkOf: LinkOf): ShownDefinition {
  const definition = definitionOf(row);
  if (definition.kind !== 'template') return definition;
  return { kind: 'template', image_url: linkOf(definition.image) };
}

/** The body that makes the filter anew, on this server or another one. */
export async function exportOf(blobs: Blobs, row: CustomFilterRow): Promise<CustomFilterExport> {
  const { name, filter_type } = row;
  const definition = definitionOf(row);
  if (definition.kind !== 'template') return { name, filter_type, definition };
  const photo = await readTemplate(blobs, definition.image);
  const image = `data:${imageTypeOf(photo)};base64,${photo.toString('base64')}`;
  return { name, filter_type, definition: { kind: 'template', image } };
}
