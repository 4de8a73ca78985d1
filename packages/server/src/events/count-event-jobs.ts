import type { Spent } from '../jobs/run-report.ts';
import type { Queries } from '../store/db.ts';
import {
  deleteEventJob,
  deleteIdempotencyOfJob,
  findEventJob,
  returnPicture,
  uncountEventJob,
} from '../store/events/event-guest-records.ts';
import { addToEventCosts, findEventById, returnToEventBudget } from '../store/events/event-records.ts';
import { deleteMailsOf } from '../store/events/mail-records.ts';
import { anonymisePrintsOf, deletePrintsOf } from '../store/events/print-records.ts';
import type { JobRow } from '../store/schema.ts';
import { keptMsOf } from './event-state.ts';
import { holdTake, removeFailedOfTake, removeMadeOfTake } from './takes.ts';

/**
 * Gives price and picture of a failed job back to its event and its guest, once. The guest’s try stays counted, and the
 * picture as long as others of its take have not failed.
 */
export async function returnEventJob(
  tx: Queries,
  { id, event_id }: Pick<JobRow, 'id' | 'event_id'>,
): Promise<void> {
  if (event_id === null) return;
  const job = await tx.one(uncountEventJob, { job_id: id });
  if (!job) return;
  await tx.run(returnToEventBudget, { id: job.event_id, price: job.price });
  if (await removeFailedOfTake(tx, job)) await tx.run(returnPicture, { id: job.guest_id });
}

/** Counts what servers took for a job of an event, made or not. */
export async function countEventCosts(
  tx: Queries,
  { event_id }: Pick<JobRow, 'event_id'>,
  { gpu_seconds, cost }: Spent,
): Promise<void> {
  if (event_id !== null && (gpu_seconds > 0 || cost > 0))
    await tx.run(addToEventCosts, { id: event_id, gpu_seconds, cost });
}

/**
 * Removes what ties an erased job to its guest: prints and addresses of mail too. Of prints, what was on paper stays
 * counted.
 */
export async function unlinkEventJob(tx: Queries, id: string): Promise<void> {
  const found = await tx.one(findEventJob, { job_id: id });
  if (found) await holdTake(tx, found);
  const row = await tx.one(deleteEventJob, { job_id: id });
  await tx.run(deleteIdempotencyOfJob, { job_id: id });
  await tx.run(deleteMailsOf, { job_id: id });
  if (!row) return;
  if (row.counted === 1) await removeMadeOfTake(tx, row);
  const picture = { guest_id: row.guest_id, job_id: id };
  await tx.run(anonymisePrintsOf, picture);
  await tx.run(deletePrintsOf, picture);
}

/** How long the result of a job is kept: an event may say less than the server. */
export async function resultMsOf(
  db: Queries,
  { event_id }: Pick<JobRow, 'event_id'>,
  resultMs: number,
): Promise<number> {
  const event = event_id === null ? undefined : await db.one(findEventById, { id: event_id });
  return event ? keptMsOf(event, resultMs) : resultMs;
}
