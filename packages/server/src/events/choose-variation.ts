import type { BoothPicture } from '@guise/contract/events/event-guests.ts';
import { AppError } from '../errors.ts';
import type { EndParts } from '../jobs/end.ts';
import type { JobWaits } from '../jobs/job-waits.ts';
import type { LinkToBlob } from '../jobs/read.ts';
import { approveEventJob, findEventJob, listTake } from '../store/events/event-guest-records.ts';
import { eraseEventJob, type PictureOfKey, readBoothJob } from './event-pictures.ts';

const noVariation = () =>
  new AppError('VALIDATION_ERROR', 'This picture is not one of several to choose from.');

/**
 * The guest takes this variation: the others are erased, and it is shown to others as the first of them was. Said twice,
 * it is the same.
 */
export async function chooseVariation(
  parts: EndParts & { waits: JobWaits },
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
  const take = await db.all(listTake, { guest_id: row.guest_id, take: row.take });
  const shownAs = take.find(({ further }) => further === 0)?.approval ?? row.approval;
  await db.run(approveEventJob, { job_id: id, event_id: event.id, approval: shownAs });
  for (const { job_id } of take) if (job_id !== id) await eraseEventJob(parts, event.account_id, job_id);
  parts.changes.publish(event.id);
  return chosen;
}
