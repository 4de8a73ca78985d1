import type { Page } from '@guise/contract/jobs.ts';
import {
  type NewPhoto,
  type NewPhotoSet,
  type Photo,
  type PhotoSet,
  type PhotoSetChange,
  type PhotoSetEntry,
  type PhotoSetList,
  photoSetLimits,
} from '@guise/contract/photo-sets.ts';
import { limitReached } from '../catalog/limit-reached.ts';
import { AppError } from '../errors.ts';
import { afterEveryId, newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { KeepKey } from '../jobs/create-once.ts';
import type { Decoder } from '../media/decoder.ts';
import { readImage } from '../media/image-input.ts';
import type { FetchUrl } from '../media/safe-fetch.ts';
import type { Upload } from '../media/upload.ts';
import { nextCursor } from '../next-cursor.ts';
import type { Precondition } from '../precondition.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import {
  countPhotoSets,
  countPhotos,
  deletePhoto,
  deletePhotoSet,
  deletePhotosOf,
  findPhotoSet,
  insertPhoto,
  insertPhotoSet,
  listPhotoSets,
  listPhotos,
  lockPhotoSet,
  renamePhotoSet,
  touchPhotoSet,
} from '../store/qa/photo-set-records.ts';
import type { PhotoRow, PhotoSetRow } from '../store/qa/qa-schema.ts';
import { encodePhoto } from './encoded-photo.ts';
import { photoKeys } from './photo-blobs.ts';
import { type PhotoLinks, photoOf, sampleOf } from './photo-links.ts';
import { sampleSet } from './sample-set.ts';

export const photoSetNotFound = () =>
  new AppError('PHOTO_SET_NOT_FOUND', 'There is no photo set with this id.');
export const photoNotFound = () => new AppError('PHOTO_NOT_FOUND', 'This set has no photo with this id.');
const readOnly = () =>
  new AppError(
    'PHOTO_SET_READ_ONLY',
    'The sample photos come with the server. Make a set of your own to add or remove photos.',
  );

/** Photos that a listed set is shown by. */
const shownPhotos = 4;

/** A set with all its photos, and the version that its `ETag` tells. */
export interface ReadPhotoSet {
  version: number;
  set: PhotoSet;
}

/** The samples come first, on the first page. */
export async function readPhotoSets(
  db: Db,
  links: PhotoLinks,
  accountId: string,
  page: Page,
): Promise<PhotoSetList> {
  const before = page.cursor ?? afterEveryId;
  const rows = await db.all(listPhotoSets, { account_id: accountId, before, limit: page.limit });
  const sets: PhotoSetEntry[] = [];
  for (const row of rows) {
    const photos = await db.all(listPhotos, { set_id: row.id, account_id: accountId, limit: shownPhotos });
    const first_photos = photos.map((photo) => photoOf(photo, links));
    sets.push({ ...headOf(row, row.photo_count), first_photos });
  }
  if (page.cursor === undefined) sets.unshift(sampleEntry(links));
  return { photo_sets: sets, next_cursor: nextCursor(rows, page.limit, ({ id }) => id) };
}

export async function readPhotoSet(
  db: Db,
  links: PhotoLinks,
  accountId: string,
  id: string,
): Promise<ReadPhotoSet> {
  if (id === sampleSet.id) return { version: 1, set: samplesAsSet(links) };
  const row = await findOwnSet(db, accountId, id);
  const rows = await db.all(listPhotos, { set_id: id, account_id: accountId, limit: photoSetLimits.photos });
  const photos = rows.map((photo) => photoOf(photo, links));
  return { version: row.version, set: { ...headOf(row, photos.length), photos } };
}

/** Returns the id. */
export async function createPhotoSet(
  db: Db,
  accountId: string,
  wanted: NewPhotoSet,
  keepKey: KeepKey,
): Promise<string> {
  const id = newId();
  const now = db.now();
  await db.transaction(async (tx) => {
    await keepKey(tx, id);
    const { count } = (await tx.one(countPhotoSets, { account_id: accountId }))!;
    if (count >= photoSetLimits.sets) throw limitReached(photoSetLimits.sets, 'photo sets');
    const row = {
      id,
      account_id: accountId,
      name: wanted.name,
      version: 1,
      created_at: now,
      updated_at: now,
    };
    await tx.run(insertPhotoSet, row);
  });
  return id;
}

export async function changePhotoSet(
  db: Db,
  { accountId, id }: SetRef,
  change: PhotoSetChange,
  check: Precondition,
): Promise<void> {
  await db.transaction(async (tx) => {
    const row = await findOwnSet(tx, accountId, id, lockPhotoSet);
    check(row.version);
    await tx.run(renamePhotoSet, { id, account_id: accountId, name: change.name, now: db.now() });
  });
}

/** Erases the set and its photos. QA runs keep their results and lose the photos they were made of. */
export async function removePhotoSet(
  { db, blobs }: { db: Db; blobs: Blobs },
  { accountId, id }: SetRef,
  check: Precondition,
): Promise<void> {
  const photos = await db.transaction(async (tx) => {
    const row = await findOwnSet(tx, accountId, id, lockPhotoSet);
    check(row.version);
    await tx.run(deletePhotoSet, { id, account_id: accountId });
    return tx.all(deletePhotosOf, { set_id: id, account_id: accountId });
  });
  for (const photo of photos) await removePhotoBlobs(blobs, photo.id);
  await db.scrub();
}

/** A photo set as an account names it. */
export interface SetRef {
  accountId: string;
  id: string;
}

/** What photos are added with. */
export interface PhotoParts {
  db: Db;
  blobs: Blobs;
  decoder: Decoder;
  fetchUrl: FetchUrl;
}

/** Adds a photo, upright and without what the camera wrote into it. Returns its id. */
export async function addPhoto(
  parts: PhotoParts,
  { accountId, id: setId }: SetRef,
  wanted: Omit<NewPhoto, 'image'> & { image: string | Upload },
  signal: AbortSignal,
  keepKey: KeepKey,
): Promise<string> {
  const set = await findOwnSet(parts.db, accountId, setId);
  await assertRoom(parts.db, set.id);
  const { bytes } = await readImage(wanted.image, parts, { accountId, signal });
  const { jpeg, thumbnail, width, height } = await encodePhoto(parts.decoder, bytes, { accountId, signal });
  const id = newId();
  const keys = photoKeys(id);
  const now = parts.db.now();
  const row: PhotoRow = {
    id,
    set_id: setId,
    account_id: accountId,
    name: wanted.name,
    people: wanted.people ?? null,
    width,
    height,
    created_at: now,
  };
  try {
    await parts.blobs.put(keys.photo, jpeg);
    await parts.blobs.put(keys.thumbnail, thumbnail);
    await parts.db.transaction(async (tx) => {
      await keepKey(tx, id);
      // Deleted meanwhile, unless this changes it.
      if (!(await tx.one(touchPhotoSet, { id: setId, account_id: accountId, now }))) throw photoSetNotFound();
      await assertRoom(tx, setId);
      await tx.run(insertPhoto, row);
    });
  } catch (error) {
    await removePhotoBlobs(parts.blobs, id);
    throw error;
  }
  return id;
}

export async function removePhoto(
  { db, blobs }: { db: Db; blobs: Blobs },
  { accountId, id: setId }: SetRef,
  photoId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    await findOwnSet(tx, accountId, setId);
    await tx.one(touchPhotoSet, { id: setId, account_id: accountId, now: db.now() });
    const photo = { id: photoId, set_id: setId, account_id: accountId };
    if ((await tx.run(deletePhoto, photo)) === 0) throw photoNotFound();
  });
  await removePhotoBlobs(blobs, photoId);
  await db.scrub();
}

async function assertRoom(db: Pick<Db, 'one'>, setId: string): Promise<void> {
  const { count } = (await db.one(countPhotos, { set_id: setId }))!;
  if (count < photoSetLimits.photos) return;
  throw new AppError(
    'LIMIT_REACHED',
    `This set has ${photoSetLimits.photos} photos, as many as it may have.`,
  );
}

async function findOwnSet(
  db: Pick<Db, 'one'>,
  accountId: string,
  id: string,
  find = findPhotoSet,
): Promise<PhotoSetRow> {
  if (id === sampleSet.id) throw readOnly();
  const row = await db.one(find, { id, account_id: accountId });
  if (!row) throw photoSetNotFound();
  return row;
}

async function removePhotoBlobs(blobs: Blobs, photoId: string): Promise<void> {
  await Promise.all(Object.values(photoKeys(photoId)).map((key) => blobs.remove(key)));
}

function headOf(row: PhotoSetRow, photo_count: number) {
  const { id, name } = row;
  const [created_at, updated_at] = [isoTime(row.created_at), isoTime(row.updated_at)];
  return { id, name, read_only: false, photo_count, created_at, updated_at };
}

function samplesAsSet(links: PhotoLinks): PhotoSet {
  const photos: Photo[] = sampleSet.photos.map((photo) => sampleOf(photo, links));
  return {
    id: sampleSet.id,
    name: sampleSet.name,
    read_only: true,
    photo_count: photos.length,
    created_at: null,
    updated_at: null,
    photos,
  };
}

function sampleEntry(links: PhotoLinks): PhotoSetEntry {
  const { photos, ...head } = samplesAsSet(links);
  return { ...head, first_photos: photos.slice(0, shownPhotos) };
}
