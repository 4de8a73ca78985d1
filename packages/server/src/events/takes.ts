import type { Queries } from '../store/db.ts';
import {
  holdGuestById,
  keepPictureOfTake,
  listTake,
  makeFirstOfTake,
} from '../store/events/event-guest-records.ts';
import type { EventJobRow } from '../store/events/event-schema.ts';

// Jobs of one touch of a guest. The first of a take counts the guest’s picture and is shown to others; when it goes, the
// next one is the first.

type JobOfTake = Pick<EventJobRow, 'guest_id' | 'take' | 'further' | 'approval'>;

/** Undefined where all have failed. */
export const firstOfTake = (jobs: readonly EventJobRow[]): EventJobRow | undefined =>
  jobs.find(({ counted, further }) => counted === 1 && further !== 1);

/** Holds the take of a job until the transaction ends, so that jobs that leave it or come to it are seen one after the other. */
export async function holdTake(tx: Queries, { guest_id, take }: JobOfTake): Promise<void> {
  if (take !== null) await tx.run(holdGuestById, { id: guest_id });
}

/** Takes a job that has failed from its take. True where the guest’s picture comes back with it. */
export async function removeFailedOfTake(tx: Queries, job: JobOfTake): Promise<boolean> {
  if (job.further === 1) return false;
  await holdTake(tx, job);
  const isFollowed = await passOn(tx, job, job.further);
  return !isFollowed && job.further === 0;
}

/** Takes a job that was made and is erased from its take, which is held: the guest has had the picture, whatever becomes of the others. */
export async function removeMadeOfTake(tx: Queries, job: JobOfTake): Promise<void> {
  const { guest_id, take, further } = job;
  if (take === null) return;
  if (further === 1) await tx.run(keepPictureOfTake, { guest_id, take });
  else await passOn(tx, job, 2);
}

/** False where no other of the take is being made or was made. */
async function passOn(
  tx: Queries,
  { guest_id, take, approval }: JobOfTake,
  further: 0 | 2,
): Promise<boolean> {
  if (take === null) return false;
  for (const { job_id, counted } of await tx.all(listTake, { guest_id, take }))
    if (counted === 1 && (await tx.run(makeFirstOfTake, { job_id, further, approval })) > 0) return true;
  return false;
}
