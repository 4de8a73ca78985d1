import type { BoothPicture } from '@guise/contract/events/event-guests.ts';
import { AppError } from '../errors.ts';
import type { JobWaits } from '../jobs/job-waits.ts';
import type { LinkToBlob } from '../jobs/read.ts';
import type { Queries } from '../store/db.ts';
import {
  findEventJob,
  listTake,
  makeFirstOfTake,
  unmakeFirstOfTake,
} from '../store/events/event-guest-records.ts';
import type { EventJobRow } from '../store/events/event-schema.ts';
import { type ErasingParts, eraseEventJob, type PictureOfKey, readBoothJob } from './event-pictures.ts';
import { firstOfTake, holdTake } from './takes.ts';

const noVariation = () =>
  new AppError('VALIDATION_ERROR', 'This picture is not one of several to choose from.');

/**
 * The guest takes this variation: the others are erased, and it is shown to others as the first of them was. Said twice,
 * it is the same.
 */
export async function chooseVariation(
  parts: ErasingParts & { waits: JobWaits },
  asked: PictureOfKey,
  signal: AbortSignal,
  linkTo: LinkToBlob,
): Promise<BoothPicture> {
  const { db } = parts;
  const { event, id } = asked;
  const chosen = await readBoothJob(parts, asked, { ms: 0, signal }, linkTo);
  const row = await db.one(findEventJob, { job_id: id });
  if (!row || row.take === null || row.variation === null) throw noVariation();
  if (chosen.status !== 'COMPLETED')
    throw new AppError('JOB_NOT_ENDED', 'The picture is not ready yet. Try again in 2 s.', {
      headers: { 'retry-after': '2' },
    });
  const take = await db.transaction(async (tx) => {
    await holdTake(tx, row);
    return makeFirst(tx, row);
  });
  for (const { job_id } of take) if (job_id !== id) await eraseEventJob(parts, event.account_id, job_id);
  parts.changes.publish(event.id);
  return chosen;
}

/** Shows the job to others in place of the first of its take. Gives all jobs of the take. */
async function makeFirst(tx: Queries, { job_id, guest_id, take }: EventJobRow): Promise<EventJobRow[]> {
  const jobs = await tx.all(listTake, { guest_id, take: take! });
  // In version 0.2 a take lost its first with the picture that was it.
  const first = firstOfTake(jobs) ?? { job_id: null, approval: 0 as const, further: 0 as const };
  if (first.job_id === job_id) return jobs;
  if (first.job_id !== null) await tx.run(unmakeFirstOfTake, { job_id: first.job_id });
  await tx.run(makeFirstOfTake, { job_id, approval: first.approval, further: first.further === 2 ? 2 : 0 });
  return jobs;
}
