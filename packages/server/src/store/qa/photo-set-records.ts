import { PostgresAdapter } from 'kysely';
import { columns, statement } from '../statement.ts';
import type { PhotoRow, PhotoSetRow } from './qa-schema.ts';

export const insertPhotoSet = statement((db, p: PhotoSetRow) =>
  db
    .insertInto('photo_sets')
    .values(columns(p, ['id', 'account_id', 'name', 'version', 'created_at', 'updated_at'])),
);

export const findPhotoSet = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('photo_sets').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** The same, and it does not change before the transaction ends. SQLite has one transaction at a time, and no such lock. */
export const lockPhotoSet = statement((db, p: { id: string; account_id: string }) =>
  db
    .selectFrom('photo_sets')
    .selectAll()
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .$if(db.getExecutor().adapter instanceof PostgresAdapter, (sets) => sets.forUpdate()),
);

export const countPhotoSets = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('photo_sets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id),
);

/** An account's sets, newest first, before the set `before`, with how many photos each has. */
export const listPhotoSets = statement((db, p: { account_id: string; before: string; limit: number }) =>
  db
    .selectFrom('photo_sets')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('photos')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('photos.set_id', '=', 'photo_sets.id')
        .$asScalar()
        .$notNull()
        .as('photo_count'),
    )
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

export const renamePhotoSet = statement(
  (db, p: { id: string; account_id: string; name: string; now: number }) =>
    db
      .updateTable('photo_sets')
      .set((eb) => ({ name: p.name, version: eb('version', '+', eb.lit(1)), updated_at: p.now }))
      .where('id', '=', p.id)
      .where('account_id', '=', p.account_id),
);

/** Marks the set as changed. Whoever else changes its photos waits until the transaction ends. */
export const touchPhotoSet = statement((db, p: { id: string; account_id: string; now: number }) =>
  db
    .updateTable('photo_sets')
    .set((eb) => ({ version: eb('version', '+', eb.lit(1)), updated_at: p.now }))
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .returning('version'),
);

export const deletePhotoSet = statement((db, p: { id: string; account_id: string }) =>
  db.deleteFrom('photo_sets').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

export const insertPhoto = statement((db, p: PhotoRow) =>
  db
    .insertInto('photos')
    .values(columns(p, ['id', 'set_id', 'account_id', 'name', 'people', 'width', 'height', 'created_at'])),
);

export const findPhoto = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('photos').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** Of any account. */
export const findPhotoById = statement((db, p: { id: string }) =>
  db.selectFrom('photos').select('id').where('id', '=', p.id),
);

export const countPhotos = statement((db, p: { set_id: string }) =>
  db
    .selectFrom('photos')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('set_id', '=', p.set_id),
);

/** The photos of a set, in the order in which they were added. */
export const listPhotos = statement((db, p: { set_id: string; account_id: string; limit: number }) =>
  db
    .selectFrom('photos')
    .selectAll()
    .where('set_id', '=', p.set_id)
    .where('account_id', '=', p.account_id)
    .orderBy('id')
    .limit(p.limit),
);

export const deletePhoto = statement((db, p: { id: string; set_id: string; account_id: string }) =>
  db
    .deleteFrom('photos')
    .where('id', '=', p.id)
    .where('set_id', '=', p.set_id)
    .where('account_id', '=', p.account_id),
);

export const deletePhotosOf = statement((db, p: { set_id: string; account_id: string }) =>
  db
    .deleteFrom('photos')
    .where('set_id', '=', p.set_id)
    .where('account_id', '=', p.account_id)
    .returning('id'),
);

/** The photos of all sets of an account, the newest first. */
export const listPhotosOfAccount = statement((db, p: { account_id: string; limit: number }) =>
  db
    .selectFrom('photos')
    .selectAll('photos')
    .innerJoin('photo_sets', 'photo_sets.id', 'photos.set_id')
    .where('photo_sets.account_id', '=', p.account_id)
    .orderBy('photos.id', 'desc')
    .limit(p.limit),
);
