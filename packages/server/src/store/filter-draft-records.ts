import { sql } from 'kysely';
import type { FilterCheckRow } from './qa/qa-schema.ts';
import type { CustomFilterRow } from './schema.ts';
import { columns, statement } from './statement.ts';

// Versions of custom filters that are not live, and what was checked of them. Whoever reads or changes them has found the
// filter as its owner's.

/** Literals, not bound parameters: PostgreSQL compares them with the column's own type. */
const waiting = sql.lit<FilterCheckRow['outcome']>('waiting');

/** Says which draft is being worked on, or that none is. */
export const setDraft = statement(
  (db, p: Pick<CustomFilterRow, 'id' | 'draft_version' | 'draft_changed_at'>) =>
    db
      .updateTable('custom_filters')
      .set({ draft_version: p.draft_version, draft_changed_at: p.draft_changed_at })
      .where('id', '=', p.id),
);

/** The draft that was worked on is too old to be kept. */
export const clearDraftBefore = statement((db, p: { filter_id: string; before: number }) =>
  db
    .updateTable('custom_filters')
    .set({ draft_version: null })
    .where('id', '=', p.filter_id)
    .where('draft_version', '<', p.before),
);

/** Tells those who look at the draft that it changed. Changes no row when another one is worked on. */
export const touchDraft = statement((db, p: { id: string; version: number; now: number }) =>
  db
    .updateTable('custom_filters')
    .set({ draft_changed_at: p.now })
    .where('id', '=', p.id)
    .where('draft_version', '=', p.version),
);

/** The highest number of a version that is not the live one; null when there is none. */
export const highestVersion = statement((db, p: { filter_id: string }) =>
  db
    .selectFrom('custom_filter_versions')
    .select(({ fn }) => fn.max<number | null>('version').as('version'))
    .where('filter_id', '=', p.filter_id),
);

export const deleteVersion = statement((db, p: { filter_id: string; version: number }) =>
  db
    .deleteFrom('custom_filter_versions')
    .where('filter_id', '=', p.filter_id)
    .where('version', '=', p.version),
);

export const insertCheck = statement((db, p: FilterCheckRow) =>
  db
    .insertInto('custom_filter_checks')
    .values(
      columns(p, [
        'id',
        'filter_id',
        'version',
        'position',
        'kind',
        'photo',
        'outcome',
        'sentences',
        'picture',
      ]),
    ),
);

export const listChecks = statement((db, p: { filter_id: string; version: number }) =>
  db
    .selectFrom('custom_filter_checks')
    .selectAll()
    .where('filter_id', '=', p.filter_id)
    .where('version', '=', p.version)
    .orderBy('position'),
);

/** Records what came of a check. Changes no row when it has ended or was deleted. */
export const endCheck = statement((db, p: Pick<FilterCheckRow, 'id' | 'outcome' | 'sentences' | 'picture'>) =>
  db
    .updateTable('custom_filter_checks')
    .set({ outcome: p.outcome, sentences: p.sentences, picture: p.picture })
    .where('id', '=', p.id)
    .where('outcome', '=', waiting)
    .returning(['filter_id', 'version']),
);

/** A draft is shown by the first picture that its checks made. */
export const setFirstPreview = statement((db, p: { filter_id: string; version: number; previews: string }) =>
  db
    .updateTable('custom_filter_versions')
    .set({ previews: p.previews })
    .where('filter_id', '=', p.filter_id)
    .where('version', '=', p.version)
    .where('previews', '=', sql.lit('[]')),
);

/** The checks of a version take the number under which it goes live. */
export const renumberChecks = statement((db, p: { filter_id: string; version: number; next: number }) =>
  db
    .updateTable('custom_filter_checks')
    .set({ version: p.next })
    .where('filter_id', '=', p.filter_id)
    .where('version', '=', p.version),
);

export const deleteChecks = statement((db, p: { filter_id: string; version: number }) =>
  db
    .deleteFrom('custom_filter_checks')
    .where('filter_id', '=', p.filter_id)
    .where('version', '=', p.version)
    .returning(['id', 'picture']),
);

/** Those of the versions before this one. */
export const deleteChecksBefore = statement((db, p: { filter_id: string; before: number }) =>
  db
    .deleteFrom('custom_filter_checks')
    .where('filter_id', '=', p.filter_id)
    .where('version', '<', p.before)
    .returning(['id', 'picture']),
);

/**
 * All checks of drafts that have one waiting, which nobody waits for any more because a newer draft was saved. Without
 * their photos, the others would say that such a draft has passed.
 */
export const deleteUnfinishedChecks = statement((db, p: { filter_id: string; live: number }) =>
  db
    .deleteFrom('custom_filter_checks')
    .where('filter_id', '=', p.filter_id)
    .where('version', '!=', p.live)
    .where('version', 'in', (eb) =>
      eb
        .selectFrom('custom_filter_checks')
        .select('version')
        .where('filter_id', '=', p.filter_id)
        .where('outcome', '=', waiting),
    )
    .returning(['id', 'picture']),
);

export const findCheckOfBlob = statement((db, p: { filter_id: string; picture: string }) =>
  db
    .selectFrom('custom_filter_checks')
    .select('id')
    .where('filter_id', '=', p.filter_id)
    .where('picture', '=', p.picture)
    .limit(1),
);
