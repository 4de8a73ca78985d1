import type { CustomFilterVersionRow } from './schema.ts';
import { columns, statement } from './statement.ts';

// Versions of custom filters that were replaced. Whoever reads or changes them has found the filter as its owner's.

export const insertVersion = statement((db, p: CustomFilterVersionRow) =>
  db
    .insertInto('custom_filter_versions')
    .values(columns(p, ['filter_id', 'version', 'name', 'definition', 'previews', 'note', 'created_at'])),
);

export const findVersion = statement((db, p: { filter_id: string; version: number }) =>
  db
    .selectFrom('custom_filter_versions')
    .selectAll()
    .where('filter_id', '=', p.filter_id)
    .where('version', '=', p.version),
);

/** The newest first. */
export const listVersions = statement((db, p: { filter_id: string; before: number; limit: number }) =>
  db
    .selectFrom('custom_filter_versions')
    .selectAll()
    .where('filter_id', '=', p.filter_id)
    .where('version', '<', p.before)
    .orderBy('version', 'desc')
    .limit(p.limit),
);

/** Whether a version names the blob. `pattern` is its key between percent signs. */
export const findVersionOfBlob = statement((db, p: { filter_id: string; pattern: string }) =>
  db
    .selectFrom('custom_filter_versions')
    .select('version')
    .where('filter_id', '=', p.filter_id)
    .where((eb) => eb.or([eb('definition', 'like', p.pattern), eb('previews', 'like', p.pattern)]))
    .limit(1),
);

/** Deletes the versions before this one, and returns what names their blobs. */
export const deleteVersionsBefore = statement((db, p: { filter_id: string; before: number }) =>
  db
    .deleteFrom('custom_filter_versions')
    .where('filter_id', '=', p.filter_id)
    .where('version', '<', p.before)
    .returning(['definition', 'previews']),
);
