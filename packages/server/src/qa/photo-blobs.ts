import { readFile } from 'node:fs/promises';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findPhoto } from '../store/qa/photo-set-records.ts';
import { findSample } from './sample-set.ts';

/** The keys of a photo and its thumbnail. */
export function photoKeys(photoId: string): { photo: string; thumbnail: string } {
  const name = `photos/${photoId.slice(-2)}/${photoId}`;
  return { photo: `${name}.jpg`, thumbnail: `${name}.webp` };
}

/** The file of an account's photo or of a sample; undefined when it was removed. */
export async function readPhotoFile(
  { db, blobs }: { db: Db; blobs: Blobs },
  accountId: string,
  photoId: string,
): Promise<Buffer | undefined> {
  const sample = findSample(photoId);
  if (sample) return readFile(sample.path);
  if (!(await db.one(findPhoto, { id: photoId, account_id: accountId }))) return undefined;
  return blobs.read(photoKeys(photoId).photo);
}
