import type { GivenDetails } from '@guise/contract/events/details.ts';
import type { NewEventJob } from '@guise/contract/events/event-guests.ts';
import { type Offer, takeOf } from '@guise/contract/events/offers.ts';
import { AppError, invalidField } from '../errors.ts';
import { newId } from '../ids.ts';
import { jobNotFound } from '../jobs/read.ts';
import { earlierAnswer, type Idempotency, type SubmitParts, submit } from '../jobs/submit.ts';
import { assertOneShape } from '../media/burst.ts';
import { readImage } from '../media/image-input.ts';
import type { Upload } from '../media/upload.ts';
import type { Db, Queries } from '../store/db.ts';
import {
  countPicture,
  countPictureAgain,
  findEventGuest,
  findEventJob,
  holdGuest,
  insertEventGuest,
  insertEventJob,
  listTake,
} from '../store/events/event-guest-records.ts';
import { findEventById, spendEventBudget } from '../store/events/event-records.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import { type ConsentColumns, checkConsent } from './consent.ts';
import { runOf } from './event-offers.ts';
import { settingsOf } from './event-settings.ts';
import { eventPaused, eventStateOf, keptMsOf, refusalOf } from './event-state.ts';
import { tellBudgetLow } from './event-webhooks.ts';
import { checkDetails, wordsOf } from './guest-details.ts';
import { firstOfTake } from './takes.ts';

const offerNotFound = () => new AppError('OFFER_NOT_FOUND', 'This is not offered at this event.');
const limitReached = () =>
  new AppError(
    'GUEST_LIMIT_REACHED',
    'You have had all your pictures at this event. Let the next guest have a turn.',
  );

/** More than anybody has. */
const noLimit = Number.MAX_SAFE_INTEGER;

/** A guest's photo, or the shots of a burst, with the key of the booth that sends them. */
export interface EventSubmission {
  event: EventRow;
  keyId: string | null;
  wanted: Omit<NewEventJob, 'image' | 'images'>;
  photos: readonly (string | Upload)[];
  idempotency: Idempotency | null;
  signal: AbortSignal;
}

export interface StartedJob {
  id: string;
  guestId: string;
  picturesLeft: number | null;
}

/**
 * Accepts a guest's photo. Window, budget, the guest's limits and the consent are held in the transaction that charges
 * the account and makes the job, so that no number of booths at once gets past them.
 */
export async function submitEventJob(
  parts: SubmitParts,
  { event, keyId, wanted, photos: sent, idempotency, signal }: EventSubmission,
): Promise<StartedJob> {
  const { db } = parts;
  const own = idempotency && { ...idempotency, key: `${event.id} ${idempotency.key}` };
  const earlier = own && (await earlierAnswer(db, event.account_id, own));
  if (earlier) return startedJob(db, event, earlier.id);
  if (eventStateOf(event, db.now()) !== 'open') throw refusalOf(event, db.now());
  const offer = chosenOffer(event, wanted.offer_id);
  const settings = settingsOf(event);
  const { ratios, hosted_engines } = settings;
  const ratio = wanted.ratio ?? ratios[0];
  if (ratio && !ratios.includes(ratio)) throw ratioNotOffered();
  const details = checkDetails(settings, wanted.details);
  const { gender, variation } = wanted;
  // Generators and the engine's table of words know English best.
  const words = wordsOf(settings.details, details, 'en');
  const { family, body } = runOf(offer, { gender, ratio, variation, words });
  const consent = await checkConsent(db, event, wanted.consent, db.now());
  const taken = takenPhotos(offer, sent);
  const asked = { accountId: event.account_id, signal };
  const images = await Promise.all(taken.map((photo) => readImage(photo, parts, asked)));
  assertOneShape(images);
  const picture = {
    event,
    guestRef: wanted.guest,
    offer,
    consent,
    take: wanted.take ?? null,
    variation,
    details,
  };
  try {
    const { id } = await submit(
      { ...parts, resultMs: keptMsOf(event, parts.resultMs) },
      {
        accountId: event.account_id,
        keyId,
        makerId: event.made_by,
        eventId: event.id,
        photosStay: !hosted_engines,
        family,
        body,
        photos: images.map(({ bytes }) => bytes),
        idempotency: own,
        onAccept: (tx, jobId, price) => countEventJob(tx, picture, { jobId, price, now: db.now() }),
      },
    );
    return await startedJob(db, event, id);
  } catch (error) {
    throw guestError(error);
  }
}

/** The photos that an offer is made of: all shots for a living portrait, and the first for everything else. */
function takenPhotos(offer: Offer, sent: readonly (string | Upload)[]): readonly (string | Upload)[] {
  if (offer.kind !== 'living_portrait') return sent.slice(0, 1);
  if (sent.length > 1) return sent;
  throw invalidField('images', 'is required: this offer is made of a burst of photos');
}

interface TakenPicture {
  event: EventRow;
  guestRef: string;
  offer: Offer;
  consent: ConsentColumns;
  /** The touch that it is of, with others; null for one of its own. */
  take: string | null;
  variation: number;
  details: GivenDetails;
}

/** Counts a job for its event and its guest, with the consent. Throws where the event or the guest has nothing left. */
export async function countEventJob(
  tx: Queries,
  picture: TakenPicture,
  { jobId, price, now }: { jobId: string; price: number; now: number },
): Promise<void> {
  const { event, guestRef, offer, consent, take, variation, details } = picture;
  if ((await tx.run(spendEventBudget, { id: event.id, price, now })) === 0)
    throw refusalOf(await tx.one(findEventById, { id: event.id }), now);
  if (event.budget !== null) await tellBudgetLow(tx, event, price, now);
  const guest = {
    id: newId(now),
    event_id: event.id,
    guest_ref: guestRef,
    pictures: 0,
    tries: 0,
    created_at: now,
  };
  await tx.run(insertEventGuest, guest);
  const { guestId, isFurther } = await countTake(tx, picture);
  const { variations } = takeOf(offer);
  await tx.run(insertEventJob, {
    job_id: jobId,
    event_id: event.id,
    guest_id: guestId,
    offer_id: offer.id,
    price,
    counted: 1,
    ...consent,
    // Until the guest has chosen, one variation is shown to others and not all of them.
    approval: variations > 0 && isFurther ? -1 : 0,
    take,
    further: isFurther ? 1 : 0,
    variation: variations > 0 && take !== null ? variation : null,
    details: Object.keys(details).length > 0 ? JSON.stringify(details) : null,
    moment: 0,
    created_at: now,
  });
}

/**
 * Counts a picture for its guest: of one touch the first alone, as long as there are no more than the offer has. Where all
 * before it have failed, their picture came back.
 */
async function countTake(
  tx: Queries,
  { event, guestRef, offer, take }: TakenPicture,
): Promise<{ guestId: string; isFurther: boolean }> {
  const own = { event_id: event.id, guest_ref: guestRef };
  if (take !== null) {
    const guest = (await tx.one(holdGuest, own))!;
    const jobs = await tx.all(listTake, { guest_id: guest.id, take });
    if (jobs.length >= takeOf(offer).pictures) throw limitReached();
    const isCounted = firstOfTake(jobs) !== undefined || jobs.some(({ further }) => further === 2);
    if (isCounted) return { guestId: guest.id, isFurther: true };
    if (jobs.length > 0) {
      const most_pictures = event.pictures_per_guest ?? noLimit;
      if (!(await tx.one(countPictureAgain, { ...own, most_pictures }))) throw limitReached();
      return { guestId: guest.id, isFurther: false };
    }
  }
  const counted = await tx.one(countPicture, {
    ...own,
    most_pictures: event.pictures_per_guest ?? noLimit,
    most_tries: event.tries_per_guest ?? noLimit,
  });
  if (!counted) throw limitReached();
  return { guestId: counted.id, isFurther: false };
}

/** In safe mode everything is made with the safe offer, whatever the booth shows. */
export function chosenOffer(event: EventRow, id: string): Offer {
  const { offers, safe_mode, safe_offer } = settingsOf(event);
  const chosen = offers.find((offer) => offer.id === id);
  if (!chosen) throw offerNotFound();
  return (safe_mode && offers.find((offer) => offer.id === safe_offer)) || chosen;
}

function ratioNotOffered(): AppError {
  const fields = [{ path: 'ratio', message: 'must be one that the event offers' }];
  return new AppError('VALIDATION_ERROR', 'ratio: must be one that the event offers.', { fields });
}

async function startedJob(db: Db, event: EventRow, id: string): Promise<StartedJob> {
  const job = await db.one(findEventJob, { job_id: id });
  const guest = job && (await db.one(findEventGuest, { id: job.guest_id }));
  if (!guest) throw jobNotFound();
  const left = Math.min(
    (event.pictures_per_guest ?? noLimit) - guest.pictures,
    (event.tries_per_guest ?? noLimit) - guest.tries,
  );
  const isLimited = event.pictures_per_guest !== null || event.tries_per_guest !== null;
  return { id, guestId: guest.id, picturesLeft: isLimited ? Math.max(0, left) : null };
}

/** A guest is told nothing of the account's credits, limits and filters. */
function guestError(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  switch (error.code) {
    case 'UNAUTHORIZED':
    case 'INSUFFICIENT_CREDITS':
    case 'RATE_LIMITED':
    case 'QUEUE_FULL':
      return eventPaused(error);
    case 'FILTER_NOT_FOUND':
    case 'FILTER_BLOCKED':
    case 'WORKFLOW_FETCH_FAILED':
    case 'FILTER_TYPE_MISMATCH':
      return offerNotFound();
    default:
      return error;
  }
}
