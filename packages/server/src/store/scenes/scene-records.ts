import { PostgresAdapter } from 'kysely';
import { columns, statement } from '../statement.ts';
import type { SceneRow } from './scene-schema.ts';

type Owned = Pick<SceneRow, 'id' | 'account_id'>;

export const insertScene = statement((db, p: SceneRow) =>
  db
    .insertInto('scenes')
    .values(
      columns(p, [
        ...(['id', 'account_id', 'settings', 'found', 'warnings', 'width', 'height'] as const),
        ...(['backdrop', 'thumbnail', 'mask', 'files', 'version', 'created_at', 'updated_at'] as const),
      ]),
    ),
);

export const findScene = statement((db, p: Owned) =>
  db.selectFrom('scenes').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** The scene, which does not change before the transaction ends. SQLite has one transaction at a time, and no such lock. */
export const lockScene = statement((db, p: Owned) =>
  db
    .selectFrom('scenes')
    .selectAll()
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .$if(db.getExecutor().adapter instanceof PostgresAdapter, (scenes) => scenes.forShare()),
);

/** Of any account. */
export const findSceneById = statement((db, p: { id: string }) =>
  db.selectFrom('scenes').selectAll().where('id', '=', p.id),
);

export const countScenes = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('scenes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id),
);

/** An account's scenes, newest first, before the scene `before`. */
export const listScenes = statement((db, p: { account_id: string; before: string; limit: number }) =>
  db
    .selectFrom('scenes')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

/** Changes no row when another version is there by now. */
export const updateScene = statement(
  (db, p: Owned & Pick<SceneRow, 'settings' | 'mask' | 'files' | 'version' | 'updated_at'>) =>
    db
      .updateTable('scenes')
      .set((eb) => ({
        settings: p.settings,
        mask: p.mask,
        files: p.files,
        updated_at: p.updated_at,
        version: eb('version', '+', eb.lit(1)),
      }))
      .where('id', '=', p.id)
      .where('account_id', '=', p.account_id)
      .where('version', '=', p.version),
);

export const deleteScene = statement((db, p: Owned) =>
  db.deleteFrom('scenes').where('id', '=', p.id).where('account_id', '=', p.account_id).returningAll(),
);

/** Custom filters whose live version or open draft names a scene. `pattern` is its name between percent signs. */
export const listFiltersOfScene = statement((db, p: { account_id: string; pattern: string }) =>
  db
    .selectFrom('custom_filters')
    .select(['id', 'name'])
    .where('account_id', '=', p.account_id)
    .where((eb) =>
      eb.or([
        eb('definition', 'like', p.pattern),
        eb.exists(
          eb
            .selectFrom('custom_filter_versions')
            .select('custom_filter_versions.filter_id')
            .whereRef('custom_filter_versions.filter_id', '=', 'custom_filters.id')
            .whereRef('custom_filter_versions.version', '=', 'custom_filters.draft_version')
            .where('custom_filter_versions.definition', 'like', p.pattern),
        ),
      ]),
    )
    .orderBy('name'),
);
