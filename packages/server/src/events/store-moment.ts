import { momentLimits } from '@guise/contract/events/event-guests.ts';
import { AppError, invalidField } from '../errors.ts';
import { jobNotFound } from '../jobs/read.ts';
import { momentKeyOf } from '../jobs/results/result-keys.ts';
import { gifShape } from '../media/gif-shape.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findEventJob, noteMoment } from '../store/events/event-guest-records.ts';
import { findJob } from '../store/job-records.ts';
import type { PictureOfKey } from './event-pictures.ts';
import { settingsOf } from './event-settings.ts';

/** Keeps the moving picture that a booth has made of a guest's quick shots, as long as the job's picture. */
export async function storeMoment(
  { db, blobs }: { db: Db; blobs: Blobs },
  { event, keyId, id }: PictureOfKey,
  gif: string,
): Promise<void> {
  if (!settingsOf(event).moments)
    throw new AppError('VALIDATION_ERROR', 'This event keeps no moving pictures of moments.');
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(gif) ? Buffer.from(gif, 'base64') : Buffer.alloc(0);
  const shape = bytes.length > momentLimits.bytes ? null : gifShape(bytes);
  const { bytes: most, side, frames } = momentLimits;
  if (!shape || Math.max(shape.width, shape.height) > side || shape.frames > frames)
    throw invalidField('gif', `must be a GIF of at most ${most} bytes, ${side} pixels and ${frames} frames`);
  const own = { id, account_id: event.account_id };
  const isOwn = async () => {
    const row = await db.one(findEventJob, { job_id: id });
    const job = row?.event_id === event.id ? await db.one(findJob, own) : undefined;
    return job?.key_id === keyId;
  };
  if (!(await isOwn())) throw jobNotFound();
  const key = momentKeyOf(id);
  await blobs.put(key, bytes);
  await db.run(noteMoment, { job_id: id });
  // Its guest may have erased it meanwhile.
  if (await isOwn()) return;
  await blobs.remove(key);
  throw jobNotFound();
}
