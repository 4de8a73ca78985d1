import type { Booth, BoothPicture, EventPicture, GuestPage } from '@guise/contract/events/event-guests.ts';
import type { Approval, EventJobEntry, EventJobList } from '@guise/contract/events/events.ts';
import { takeOf } from '@guise/contract/events/offers.ts';
import { familyOf, mediaTypes } from '@guise/contract/families/families.ts';
import type { Page } from '@guise/contract/jobs.ts';
import { AppError } from '../errors.ts';
import { afterEveryId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { type EndParts, erase } from '../jobs/end.ts';
import type { JobWaits } from '../jobs/job-waits.ts';
import { entryOf, hasEnded, jobNotFound, type LinkToBlob, readJobAtEnd } from '../jobs/read.ts';
import { loopLinksOf } from '../jobs/results/loop-links.ts';
import { mediaTypeOf, momentKeyOf, thumbnailKeyOf } from '../jobs/results/result-keys.ts';
import { pictureKeyOf, testStatusOf } from '../jobs/results/test-status.ts';
import { readQuality } from '../jobs/stored-notes.ts';
import type { SubmitParts } from '../jobs/submit.ts';
import { readPhotoReceivers } from '../jobs/worker-registry.ts';
import { nextCursor } from '../next-cursor.ts';
import type { Db } from '../store/db.ts';
import {
  approveEventJob,
  findEventGuest,
  findEventJob,
  listEventJobs,
  listGuestJobs,
} from '../store/events/event-guest-records.ts';
import { findEvent, findEventById } from '../store/events/event-records.ts';
import type { EventGuestRow, EventJobRow, EventRow } from '../store/events/event-schema.ts';
import { findJob } from '../store/job-records.ts';
import type { JobRow } from '../store/schema.ts';
import { allowsShowing, consentOf, type Place, type QuestionsByVersion, readQuestions } from './consent.ts';
import { unlinkEventJob } from './count-event-jobs.ts';
import { boothKindOf, offerPrice, type PreviewLinks, previewOf } from './event-offers.ts';
import { readOverlays } from './event-overlays.ts';
import { settingsOf } from './event-settings.ts';
import { eventNotFound } from './event-state.ts';
import { shownEventOf } from './events.ts';
import { detailsOf } from './guest-details.ts';
import { boothPrintsOf } from './printing/event-prints.ts';
import type { PrinterParts } from './printing/printers.ts';
import { stopPrintsOf } from './printing/stop-prints.ts';

const pictureNotFound = () => new AppError('JOB_NOT_FOUND', 'There is no picture with this id.');
const linkExpired = () =>
  new AppError('GUEST_LINK_EXPIRED', 'The pictures of this page have had their time and were deleted.');
const guestNotFound = () => new AppError('GUEST_NOT_FOUND', 'This page is not there any more.');

/** More pictures of one guest are not shown. */
const mostShown = 200;

/**
 * What a booth shows: what the rest of the budget pays for, and in safe mode the safe offer alone. A budget that pays
 * for none of it counts as spent.
 */
export async function readBooth(
  { db, prices, hasMail }: Pick<SubmitParts, 'db' | 'prices'> & { hasMail: boolean },
  row: EventRow,
  links: PreviewLinks,
): Promise<Booth> {
  const { offers, safe_mode, safe_offer, hosted_engines, mail } = settingsOf(row);
  const allowed = safe_mode ? offers.filter(({ id }) => id === safe_offer) : offers;
  const left = row.budget === null ? Infinity : row.budget - row.spent;
  const shown = allowed.filter((offer) => offerPrice(prices, offer) <= left);
  const event = shownEventOf(row, db.now());
  const isSpent = event.state === 'open' && allowed.length > 0 && shown.length === 0;
  return {
    ...event,
    ...(isSpent && { state: 'budget_spent' }),
    overlays: await readOverlays(db, row.id, links.toBlob),
    photos_go_to: hosted_engines ? await readPhotoReceivers(db) : [],
    prints: await boothPrintsOf(db, row),
    mail: mail !== null && hasMail,
    offers: await Promise.all(
      shown.map(async (offer) => ({
        id: offer.id,
        kind: boothKindOf(offer),
        labels: offer.labels,
        shots: takeOf(offer).shots,
        variations: takeOf(offer).variations,
        preview_url: await previewOf(db, row.account_id, offer, links),
      })),
    ),
  };
}

/** The jobs of an account's event with their consents, newest first. Jobs that were purged are in the export alone. */
export async function readEventJobs(
  db: Db,
  own: { id: string; account_id: string },
  page: Page,
  linkTo: LinkToBlob,
): Promise<EventJobList> {
  const event = await db.one(findEvent, own);
  if (!event) throw eventNotFound();
  const questions = await readQuestions(db, own.id);
  const { cursor = afterEveryId, limit } = page;
  const rows = await db.all(listEventJobs, { event_id: own.id, before: cursor, limit });
  const found = await Promise.all(
    rows.map(async (row): Promise<EventJobEntry[]> => {
      const job = await db.one(findJob, { id: row.job_id, account_id: own.account_id });
      if (!job) return [];
      return [eventJobOf({ event, row, job, questions }, linkTo)];
    }),
  );
  return {
    jobs: found.flat(),
    next_cursor: nextCursor(rows, limit, ({ job_id }) => job_id),
  };
}

const approvals = { hidden: -1, pending: 0, approved: 1 } as const satisfies Record<Approval, number>;

/** What the operator says of a picture: whether it is shown to others than its guest. */
export async function approvePicture(
  { db, changes }: Pick<EndParts, 'db' | 'changes'>,
  own: { id: string; account_id: string; picture_id: string },
  approval: Approval,
  linkTo: LinkToBlob,
): Promise<EventJobEntry> {
  const { id: event_id, account_id, picture_id: job_id } = own;
  const event = await db.one(findEvent, own);
  if (!event) throw eventNotFound();
  const changed = await db.run(approveEventJob, { job_id, event_id, approval: approvals[approval] });
  const row = changed === 0 ? undefined : await db.one(findEventJob, { job_id });
  const job = row && (await db.one(findJob, { id: job_id, account_id }));
  if (!job) throw pictureNotFound();
  changes.publish(event_id);
  return eventJobOf({ event, row, job, questions: await readQuestions(db, event_id) }, linkTo);
}

interface FoundEventJob {
  event: EventRow;
  row: EventJobRow;
  job: JobRow;
  questions: QuestionsByVersion;
}

function eventJobOf({ event, row, job, questions }: FoundEventJob, linkTo: LinkToBlob): EventJobEntry {
  const mayShow = (place: Place) => allowsShowing(place, row, questions, event.consent_version);
  const { offer_id, guest_id } = row;
  return {
    ...entryOf(job, linkTo),
    offer_id,
    guest_id,
    details: detailsOf(row),
    consent: consentOf(row),
    approval: row.approval === 0 ? 'pending' : row.approval > 0 ? 'approved' : 'hidden',
    may_show: { wall: mayShow('wall'), gallery: mayShow('gallery') },
    quality: readQuality(job.result_notes),
  };
}

interface WaitParts {
  db: Db;
  waits: JobWaits;
}

/** A job, by the key of an event that submitted it. */
export interface PictureOfKey {
  event: EventRow;
  keyId: string | null;
  id: string;
}

/** A job that this key of an event submitted, at its end or after the wait. */
export async function readBoothJob(
  parts: WaitParts,
  { event, keyId, id }: PictureOfKey,
  wait: { ms: number; signal: AbortSignal },
  linkTo: LinkToBlob,
): Promise<BoothPicture> {
  const { db } = parts;
  const own = { id, account_id: event.account_id };
  const row = await db.one(findEventJob, { job_id: id });
  const job = row?.event_id === event.id ? await db.one(findJob, own) : undefined;
  if (!row || !job || job.key_id !== keyId) throw jobNotFound();
  const pictureNow = (now: JobRow | undefined) => ({
    ...pictureOf(row, now, db.now(), linkTo),
    quality: readQuality(now?.result_notes ?? null),
  });
  if (hasEnded(job) || wait.ms === 0) return pictureNow(job);
  const query = { accountId: event.account_id, statusPath: familyOf(job.family).status, id };
  await readJobAtEnd(parts, query, wait.ms, wait.signal);
  return pictureNow(await db.one(findJob, own));
}

/** A guest with the event, by the id in the guest's token. */
export interface KnownGuest {
  guest: EventGuestRow;
  event: EventRow;
}

export async function findGuest(db: Db, id: string): Promise<KnownGuest> {
  const guest = await db.one(findEventGuest, { id });
  const event = guest && (await db.one(findEventById, { id: guest.event_id }));
  if (!event) throw guestNotFound();
  return { guest, event };
}

/** Throws when every picture has expired: the page lives as long as the event keeps them. */
export async function readGuestPage(
  { db, hasMail }: { db: Db; hasMail: boolean },
  { guest, event }: KnownGuest,
  linkTo: LinkToBlob,
): Promise<GuestPage> {
  const { texts, branding, mail } = settingsOf(event);
  const rows = await db.all(listGuestJobs, { guest_id: guest.id, limit: mostShown });
  const pictures = rows.map(async (row) => {
    const job = await db.one(findJob, { id: row.job_id, account_id: event.account_id });
    return pictureOf(row, job, db.now(), linkTo);
  });
  const shown = await Promise.all(pictures);
  if (shown.length > 0 && shown.every(({ status }) => status === 'EXPIRED')) throw linkExpired();
  return {
    event: { name: event.name, texts, branding, mail: mail !== null && hasMail },
    pictures: shown,
  };
}

/** What pictures of events are erased with: their prints are stopped. */
export type ErasingParts = EndParts & PrinterParts;

/** Erases one picture of a guest, or all: photos, results, thumbnails, prompt and consent, now. */
export async function eraseGuestPictures(
  parts: ErasingParts,
  { guest, event }: KnownGuest,
  id?: string,
): Promise<void> {
  const rows = await parts.db.all(listGuestJobs, { guest_id: guest.id, limit: Number.MAX_SAFE_INTEGER });
  const wanted = id === undefined ? rows : rows.filter(({ job_id }) => job_id === id);
  if (id !== undefined && wanted.length === 0) throw pictureNotFound();
  for (const { job_id } of wanted) await eraseEventJob(parts, event.account_id, job_id);
}

/** Of a job whose row was purged after its time, the consent is all that is left. */
export async function eraseEventJob(parts: ErasingParts, accountId: string, id: string): Promise<void> {
  await stopPrintsOf(parts, accountId, id);
  try {
    await erase(parts, accountId, id);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'JOB_NOT_FOUND')) throw error;
    await parts.db.transaction((tx) => unlinkEventJob(tx, id));
    await parts.db.scrub();
  }
}

function pictureOf(row: EventJobRow, job: JobRow | undefined, now: number, linkTo: LinkToBlob): EventPicture {
  const key = pictureKeyOf(job, now);
  return {
    id: row.job_id,
    offer_id: row.offer_id,
    status: testStatusOf(job, now),
    progress: job?.progress ?? 0,
    media_type: job ? mediaTypeOf(job) : mediaTypes.image,
    url: job && key !== null ? linkTo(job, key) : null,
    thumbnail_url: job && key !== null ? linkTo(job, thumbnailKeyOf(job.result_key!)) : null,
    ...(job && key !== null && loopLinksOf(job, (loopKey) => linkTo(job, loopKey))),
    ...(job && row.moment === 1 && job.expires_at > now && { moment_url: linkTo(job, momentKeyOf(job.id)) }),
    error: job?.error ?? null,
    created_at: isoTime(row.created_at),
    expires_at: isoTime(job?.expires_at ?? row.created_at),
  };
}
