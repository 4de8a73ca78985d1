import { EventErasure } from '@guise/contract/events/erasure.ts';
import type { z } from 'zod';
import { eachAtOnce } from '../each-at-once.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import { blobsOf, cancel, type EndParts } from '../jobs/end.ts';
import { hasEnded } from '../jobs/read.ts';
import type { Precondition } from '../precondition.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import {
  countEventGuests,
  countEventJobs,
  deleteEventGuests,
  listEventJobs,
  listJobsOfEvent,
} from '../store/events/event-guest-records.ts';
import { deleteEventOverlays, listEventOverlays } from '../store/events/event-overlay-records.ts';
import { beginErasure, endErasure, findEvent, revokeEventKeys } from '../store/events/event-records.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import { mails } from '../store/events/mail-records.ts';
import { prints } from '../store/events/print-records.ts';
import { countStations, deleteStations } from '../store/events/station-records.ts';
import { findJobById } from '../store/job-records.ts';
import { readJson, TextList } from '../store/json-column.ts';
import type { JobRow } from '../store/schema.ts';
import { type ErasingParts, eraseEventJob } from './event-pictures.ts';
import { eventNotFound } from './event-state.ts';

const batch = 200;
/** Erased at once: the database does one after another, and blobs are removed side by side. */
const atOnce = 10;

const kept = [
  'Ledger entries and daily sums of usage: amounts, job ids and times, nothing of a guest.',
  'The event itself: its settings and texts, which nobody but its account wrote.',
];

/** What is about to be erased. It is written down first, so that the receipt is whole after a crash too. */
const Plan = EventErasure.omit({ erased_at: true, remaining: true, kept: true }).extend({ files: TextList });
type Plan = z.infer<typeof Plan>;

/**
 * Erases everything that guests made at an event, and says what that was. The event accepts nothing from the moment this
 * begins. Repeated after a crash it goes on; repeated after its end it gives the same receipt.
 */
export async function eraseEvent(
  parts: ErasingParts,
  accountId: string,
  id: string,
  check: Precondition,
): Promise<EventErasure> {
  const { db } = parts;
  const own = { id, account_id: accountId };
  const found = await db.one(findEvent, own);
  if (!found) throw eventNotFound();
  if (found.erased_at !== null) return readJson(EventErasure, found.erasure!);
  check(found.version);
  await db.run(beginErasure, { ...own, now: db.now() });
  const keysRevoked = await db.run(revokeEventKeys, { event_id: id, now: db.now() });
  const event = (await db.one(findEvent, own))!;
  const plan = await keptPlan(parts, event, keysRevoked);
  await eachAtOnce(plan.job_ids, atOnce, (jobId) => eraseEventJob(parts, accountId, jobId));
  await db.run(deleteEventGuests, { event_id: id });
  await db.run(deleteEventOverlays, { event_id: id });
  await db.run(deleteStations, { event_id: id });
  await db.run(prints.deleteOfEvent, { event_id: id });
  await db.run(mails.deleteOfEvent, { event_id: id });
  await eachAtOnce(plan.files, atOnce, (key) => parts.blobs.remove(key));
  const { files, ...counts } = plan;
  const erased_at = db.now();
  const erasure: EventErasure = {
    ...counts,
    erased_at: isoTime(erased_at),
    remaining: await countRemaining(parts, id, files),
    kept,
  };
  await db.run(endErasure, { id, erased_at, erasure: JSON.stringify(erasure) });
  await db.scrub();
  parts.log.info({ event: id, account: accountId, jobs: erasure.jobs }, 'event erased');
  return erasure;
}

/** Jobs that have not ended are cancelled here: one that ended after it was looked at would have a result that is not counted. */
async function keptPlan(parts: EndParts, event: EventRow, keysRevoked: number): Promise<Plan> {
  const { db } = parts;
  if (event.erasure !== null) return readJson(Plan, event.erasure);
  const plan: Plan = {
    event_id: event.id,
    begun_at: isoTime(event.erasure_begun_at ?? db.now()),
    jobs: 0,
    results: 0,
    photos: 0,
    consents: 0,
    guests: (await db.one(countEventGuests, { event_id: event.id }))?.count ?? 0,
    stations: (await db.one(countStations, { event_id: event.id }))?.count ?? 0,
    prints: (await db.one(prints.count, { event_id: event.id }))?.count ?? 0,
    mails: (await db.one(mails.count, { event_id: event.id }))?.count ?? 0,
    keys_revoked: keysRevoked,
    job_ids: [],
    files: (await db.all(listEventOverlays, { event_id: event.id })).map(({ blob_key }) => blob_key),
  };
  for (let before = '~'; ; ) {
    const rows = await db.all(listEventJobs, { event_id: event.id, before, limit: batch });
    for (const row of rows) {
      const found = await db.one(findJobById, { id: row.job_id });
      const isLive = found && !hasEnded(found);
      const job = isLive ? await cancelled(parts, found) : found;
      plan.jobs++;
      plan.job_ids.push(row.job_id);
      if (row.consent_version !== null) plan.consents++;
      if (!job) continue;
      plan.files.push(...blobsOf(job));
      if (job.result_key !== null) plan.results++;
      if (isLive) plan.photos += blobsOf(found).filter((key) => key.startsWith('inputs/')).length;
    }
    if (rows.length < batch) break;
    before = rows.at(-1)!.job_id;
  }
  await db.run(endErasure, { id: event.id, erased_at: null, erasure: JSON.stringify(plan) });
  return plan;
}

/** Undefined when its guest has erased it meanwhile. */
async function cancelled(parts: EndParts, { id, account_id }: JobRow): Promise<JobRow | undefined> {
  try {
    return await cancel(parts, account_id, id);
  } catch (error) {
    if (error instanceof AppError && error.code === 'JOB_NOT_FOUND') return undefined;
    throw error;
  }
}

async function countRemaining(
  { db, blobs }: { db: Db; blobs: Blobs },
  event_id: string,
  files: readonly string[],
): Promise<EventErasure['remaining']> {
  let left = 0;
  await eachAtOnce(files, atOnce, async (key) => {
    const blob = await blobs.open(key);
    if (!blob) return;
    left++;
    await blob.close();
  });
  return {
    jobs: (await db.all(listJobsOfEvent, { event_id, after: '', limit: batch })).length,
    consents: (await db.one(countEventJobs, { event_id }))?.count ?? 0,
    guests: (await db.one(countEventGuests, { event_id }))?.count ?? 0,
    stations: (await db.one(countStations, { event_id }))?.count ?? 0,
    prints: (await db.one(prints.count, { event_id }))?.count ?? 0,
    mails: (await db.one(mails.count, { event_id }))?.count ?? 0,
    files: left,
  };
}
