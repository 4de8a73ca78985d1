import { PostgresAdapter, sql } from 'kysely';
import { readJson, TextList } from './json-column.ts';
import type { AliasRow, CustomFilterRow, CustomFilterVersionRow } from './schema.ts';
import { columns, statement } from './statement.ts';

type NewCustomFilterRow = Omit<
  CustomFilterRow,
  'ready_by' | 'ready_at' | 'draft_version' | 'draft_changed_at'
>;

export const insertCustomFilter = statement((db, p: NewCustomFilterRow) =>
  db
    .insertInto('custom_filters')
    .values(
      columns(p, [
        'id',
        'account_id',
        'name',
        'filter_type',
        'definition',
        'origin',
        'previews',
        'version',
        'note',
        'created_at',
        'updated_at',
      ]),
    ),
);

export const findCustomFilter = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('custom_filters').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/**
 * The filter, which does not change before the transaction ends. SQLite has one transaction at a time, and no such lock.
 */
export const lockCustomFilter = statement((db, p: { id: string; account_id: string }) =>
  db
    .selectFrom('custom_filters')
    .selectAll()
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .$if(db.getExecutor().adapter instanceof PostgresAdapter, (filters) => filters.forShare()),
);

/** The same for whoever is about to change or delete it, after those who still use it. */
export const lockCustomFilterToChange = statement((db, p: { id: string; account_id: string }) =>
  db
    .selectFrom('custom_filters')
    .selectAll()
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .$if(db.getExecutor().adapter instanceof PostgresAdapter, (filters) => filters.forUpdate()),
);

/** Of any account. */
export const findCustomFilterById = statement((db, p: { id: string }) =>
  db.selectFrom('custom_filters').selectAll().where('id', '=', p.id),
);

export const listCustomFilters = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('custom_filters')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .orderBy('created_at')
    .orderBy('id'),
);

export const countCustomFilters = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('custom_filters')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id),
);

/** Makes `next` the version that is live. Changes no row unless `version` is it now. */
export const updateCustomFilter = statement(
  (
    db,
    p: Pick<
      CustomFilterRow,
      'id' | 'account_id' | 'version' | 'name' | 'definition' | 'note' | 'updated_at'
    > & { next: number },
  ) =>
    db
      .updateTable('custom_filters')
      .set({
        name: p.name,
        definition: p.definition,
        version: p.next,
        note: p.note,
        updated_at: p.updated_at,
      })
      .where('id', '=', p.id)
      .where('account_id', '=', p.account_id)
      .where('version', '=', p.version),
);

/** Records who says that the filter may go live; null that it may not. Changes no row unless `version` is the current one. */
export const setReady = statement(
  (db, p: Pick<CustomFilterRow, 'id' | 'account_id' | 'version' | 'ready_by' | 'ready_at'>) =>
    db
      .updateTable('custom_filters')
      .set({ ready_by: p.ready_by, ready_at: p.ready_at })
      .where('id', '=', p.id)
      .where('account_id', '=', p.account_id)
      .where('version', '=', p.version),
);

/** Changes no row when the definition has changed since the previews were made. */
export const setPreviews = statement((db, p: { id: string; previews: string; definition: string }) =>
  db
    .updateTable('custom_filters')
    .set({ previews: p.previews })
    .where('id', '=', p.id)
    .where('definition', '=', p.definition),
);

/** The blob keys of the previews. */
export function previewKeysOf(filter: Pick<CustomFilterRow, 'previews'>): string[] {
  return readJson(TextList, filter.previews);
}

export const deleteCustomFilter = statement((db, p: { id: string; account_id: string }) =>
  db.deleteFrom('custom_filters').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

// Versions of custom filters that were replaced or are not live yet. Whoever reads or changes them has found the filter as its owner's.

export const insertVersion = statement((db, p: CustomFilterVersionRow) =>
  db
    .insertInto('custom_filter_versions')
    .values(
      columns(p, ['filter_id', 'version', 'name', 'definition', 'previews', 'note', 'created_at', 'draft']),
    ),
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

/** The last one that was live before this one. */
export const findReplacedVersion = statement((db, p: { filter_id: string; before: number }) =>
  db
    .selectFrom('custom_filter_versions')
    .selectAll()
    .where('filter_id', '=', p.filter_id)
    .where('version', '<', p.before)
    .where('draft', '=', sql.lit<CustomFilterVersionRow['draft']>(0))
    .orderBy('version', 'desc')
    .limit(1),
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

type AliasDraft = Pick<AliasRow, 'draft_filter' | 'draft_number' | 'draft_changed_at'>;

export const insertAlias = statement(
  (db, p: Omit<AliasRow, 'safe_filter' | 'draft_filter' | 'draft_changed_at'>) =>
    db
      .insertInto('aliases')
      .values(
        columns(p, [
          'id',
          'account_id',
          'ai_filter',
          'ai_filter_name',
          'project',
          'history',
          'draft_number',
          'version',
          'created_at',
          'updated_at',
          'last_used',
        ]),
      ),
);

/** With the current name of its filter, or null when the filter was deleted. */
export const findAlias = statement((db, p: { id: string; account_id: string }) =>
  db
    .selectFrom('aliases')
    .leftJoin('custom_filters', 'custom_filters.id', 'aliases.ai_filter')
    .selectAll('aliases')
    .select('custom_filters.name as filter_name')
    .where('aliases.id', '=', p.id)
    .where('aliases.account_id', '=', p.account_id),
);

/** The same, and it does not change before the transaction ends. SQLite has one transaction at a time, and no such lock. */
export const lockAlias = statement((db, p: { id: string; account_id: string }) =>
  db
    .selectFrom('aliases')
    .leftJoin('custom_filters', 'custom_filters.id', 'aliases.ai_filter')
    .selectAll('aliases')
    .select('custom_filters.name as filter_name')
    .where('aliases.id', '=', p.id)
    .where('aliases.account_id', '=', p.account_id)
    .$if(db.getExecutor().adapter instanceof PostgresAdapter, (aliases) => aliases.forUpdate('aliases')),
);

export const countAliases = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('aliases')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id),
);

export const listAliases = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('aliases')
    .leftJoin('custom_filters', 'custom_filters.id', 'aliases.ai_filter')
    .selectAll('aliases')
    .select('custom_filters.name as filter_name')
    .where('aliases.account_id', '=', p.account_id)
    .orderBy('aliases.created_at')
    .orderBy('aliases.id'),
);

export const updateAlias = statement(
  (db, p: Omit<AliasRow, 'account_id' | 'version' | 'created_at' | 'last_used' | keyof AliasDraft>) =>
    db
      .updateTable('aliases')
      .set((eb) => ({
        ai_filter: p.ai_filter,
        ai_filter_name: p.ai_filter_name,
        project: p.project,
        history: p.history,
        safe_filter: p.safe_filter,
        version: eb('version', '+', eb.lit(1)),
        updated_at: p.updated_at,
      }))
      .where('id', '=', p.id),
);

/** Saves, replaces or puts away what a locked alias is to point to. */
export const setAliasDraft = statement((db, p: AliasDraft & Pick<AliasRow, 'id'>) =>
  db
    .updateTable('aliases')
    .set({
      draft_filter: p.draft_filter,
      draft_number: p.draft_number,
      draft_changed_at: p.draft_changed_at,
    })
    .where('id', '=', p.id),
);

/** Stores the name that aliases go on showing after their filter is deleted. */
export const keepFilterName = statement((db, p: { ai_filter: string; name: string }) =>
  db.updateTable('aliases').set({ ai_filter_name: p.name }).where('ai_filter', '=', p.ai_filter),
);

/** Records that the alias was used. */
export const touchAlias = statement((db, p: { id: string; now: number }) =>
  db.updateTable('aliases').set({ last_used: p.now }).where('id', '=', p.id),
);

export const deleteAlias = statement((db, p: { id: string; account_id: string }) =>
  db.deleteFrom('aliases').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** Those that point to the filter, or have it to fall back to. */
export const listAliasesOfFilter = statement((db, p: { filter_id: string; account_id: string }) =>
  db
    .selectFrom('aliases')
    .select(['id', 'project'])
    .where('account_id', '=', p.account_id)
    .where((eb) => eb.or([eb('ai_filter', '=', p.filter_id), eb('safe_filter', '=', p.filter_id)]))
    .orderBy('created_at')
    .orderBy('id'),
);

/** The filter is deleted, so no alias can fall back to it. */
export const clearSafeFilter = statement((db, p: { filter_id: string; account_id: string }) =>
  db
    .updateTable('aliases')
    .set((eb) => ({ safe_filter: null, version: eb('version', '+', eb.lit(1)) }))
    .where('account_id', '=', p.account_id)
    .where('safe_filter', '=', p.filter_id),
);
