import { photoSetLimits } from '@guise/contract/photo-sets.ts';
import { mostQaCells, type NewQaRun, type QaPrice } from '@guise/contract/qa-runs.ts';
import { readVersion } from '../catalog/filter-versions.ts';
import { filterNotFound } from '../catalog/resolve.ts';
import type { Prices } from '../credits/prices.ts';
import { invalidField } from '../errors.ts';
import { findAccount } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import { findCustomFilter } from '../store/filter-records.ts';
import { findPhotoSet, listPhotos } from '../store/qa/photo-set-records.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import { photoNotFound, photoSetNotFound } from './photo-sets.ts';
import { sampleSet } from './sample-set.ts';
import { testPrice } from './submit-test.ts';

/** A photo of a run: what of it the run keeps. */
export interface PlannedPhoto {
  id: string;
  name: string;
  people: number | null;
}

/** What a QA run consists of: every version on every photo. */
export interface QaPlan {
  filter: CustomFilterRow;
  versions: number[];
  photoSet: { id: string; name: string };
  photos: PlannedPhoto[];
  cells: number;
  /** Credits for all cells. */
  price: number;
}

interface Parts {
  db: Db;
  prices: Prices;
}

/** Checks what a caller asks for against what there is. */
export async function planQaRun({ db, prices }: Parts, accountId: string, wanted: NewQaRun): Promise<QaPlan> {
  const filter = await db.one(findCustomFilter, { id: wanted.filter_id, account_id: accountId });
  if (!filter) throw filterNotFound();
  const versions = wanted.versions ?? [filter.version];
  for (const version of versions) await readVersion(db, filter, version);
  const photoSet = await readSet(db, accountId, wanted.photo_set_id);
  const photos = choosePhotos(photoSet.photos, wanted.photo_ids);
  if (photos.length === 0) throw invalidField('photo_set_id', 'this set has no photos');
  const cells = photos.length * versions.length;
  if (cells > mostQaCells)
    throw invalidField(
      'photo_ids',
      `${cells} cells are more than ${mostQaCells}: choose fewer photos or versions`,
    );
  return { filter, versions, photoSet, photos, cells, price: cells * testPrice(prices, filter) };
}

/** What a run would cost, and what the account has. */
export async function priceQaRun(parts: Parts, accountId: string, wanted: NewQaRun): Promise<QaPrice> {
  const { cells, price } = await planQaRun(parts, accountId, wanted);
  const account = await parts.db.one(findAccount, { id: accountId });
  return { cells, price, balance: account?.balance ?? 0 };
}

async function readSet(db: Db, accountId: string, id: string) {
  if (id === sampleSet.id) return sampleSet;
  const set = await db.one(findPhotoSet, { id, account_id: accountId });
  if (!set) throw photoSetNotFound();
  const photos = await db.all(listPhotos, {
    set_id: id,
    account_id: accountId,
    limit: photoSetLimits.photos,
  });
  return { id, name: set.name, photos };
}

/** All of them, or those that are named, in the order of the set. */
function choosePhotos(photos: readonly PlannedPhoto[], ids: readonly string[] | undefined): PlannedPhoto[] {
  const chosen = photos.filter(({ id }) => ids === undefined || ids.includes(id));
  if (ids !== undefined && chosen.length < ids.length) throw photoNotFound();
  return chosen.map(({ id, name, people }) => ({ id, name, people }));
}
