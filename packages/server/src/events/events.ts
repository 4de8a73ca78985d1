import {
  type BoothEvent,
  type BoothEventChange,
  type BoothEventList,
  eventLimits,
  type NewBoothEvent,
} from '@guise/contract/events/events.ts';
import type { Page } from '@guise/contract/jobs.ts';
import { limitReached } from '../catalog/limit-reached.ts';
import { AppError } from '../errors.ts';
import { afterEveryId, newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import type { Changes } from '../jobs/changes.ts';
import type { KeepKey } from '../jobs/create-once.ts';
import { checkWebhookUrl, type SubmitParts } from '../jobs/submit.ts';
import { nextCursor } from '../next-cursor.ts';
import type { Precondition } from '../precondition.ts';
import { isKeyInForce } from '../store/accounts/lineages.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db, Queries } from '../store/db.ts';
import { countEventGuests, countEventJobs } from '../store/events/event-guest-records.ts';
import { deleteEventOverlays, listEventOverlays } from '../store/events/event-overlay-records.ts';
import {
  countEvents,
  deleteEvent,
  deleteEventConsents,
  findEvent,
  insertEvent,
  insertEventConsent,
  listEvents,
  revokeEventKeys,
  rollEventLinks,
  updateEvent,
} from '../store/events/event-records.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import { findPrinter } from '../store/events/print-records.ts';
import { deleteStations } from '../store/events/station-records.ts';
import { keepPhotosOfEvent } from '../store/job-records.ts';
import { type ConsentDocument, withGalleryQuestion } from './consent.ts';
import { checkOffers } from './event-offers.ts';
import { columnsOf, fieldsOf, settingsOf } from './event-settings.ts';
import { eventNotFound, eventStateOf, pausedWithMaker } from './event-state.ts';
import { wrongPlaceOf } from './guest-details.ts';

export type EventParts = Pick<SubmitParts, 'db' | 'catalog' | 'changes' | 'checkUrl'> & {
  logins: { hashPassword(password: string, accountId: string): Promise<string> };
};

const dayMs = 24 * 3600_000;

const notErased = () =>
  new AppError(
    'EVENT_NOT_ERASED',
    'This event still has what guests made. Erase that before you delete the event.',
  );

/** Who makes an event: an account, by one of its keys or, without one, by somebody who is signed in. */
export interface EventMaker {
  id: string;
  maker_id: string | null;
}

/** An event without what is stored beside it. */
export type StoredEvent = Omit<BoothEvent, 'overlays'>;

/** An event, with the version that its `ETag` tells. */
export interface ReadEvent {
  version: number;
  event: StoredEvent;
}

export async function createEvent(
  parts: EventParts,
  { id: accountId, maker_id }: EventMaker,
  given: NewBoothEvent,
  keepKey: KeepKey,
): Promise<{ id: string }> {
  const { db } = parts;
  const webhook_url = given.webhook_url && checkWebhookUrl(parts, given.webhook_url);
  const wanted = withGalleryQuestion({ ...given, webhook_url });
  checkFields(wanted);
  const gallery_password_hash = await hashGalleryPassword(parts, accountId, wanted.gallery_password);
  checkGallery(wanted, gallery_password_hash);
  await checkOffers(parts, accountId, wanted.offers);
  await checkPrinter(db, accountId, wanted.printer_id);
  const now = db.now();
  const row: EventRow = {
    id: newId(now),
    account_id: accountId,
    made_by: maker_id,
    ...columnsOf(wanted),
    closed: 0,
    spent: 0,
    jobs: 0,
    gpu_seconds: 0,
    cost: 0,
    consent_version: 1,
    draft: null,
    draft_number: 0,
    draft_changed_at: null,
    replaced: null,
    links_version: 1,
    gallery_password_hash,
    version: 1,
    created_at: now,
    updated_at: now,
    erasure_begun_at: null,
    erased_at: null,
    erasure: null,
  };
  await db.transaction(async (tx) => {
    await keepKey(tx, row.id);
    const { count } = (await tx.one(countEvents, { account_id: accountId }))!;
    if (count >= eventLimits.events) throw limitReached(eventLimits.events, 'events');
    await tx.run(insertEvent, row);
    const document = documentOf(wanted);
    await tx.run(insertEventConsent, { event_id: row.id, version: 1, document, created_at: now });
  });
  return { id: row.id };
}

export async function readEvent(db: Db, accountId: string, id: string): Promise<ReadEvent> {
  const row = await db.one(findEvent, { id, account_id: accountId });
  if (!row) throw eventNotFound();
  return { version: row.version, event: eventOf(await pausedWithMaker(db, row), db.now()) };
}

/** Newest first. */
export async function readEvents(
  db: Db,
  accountId: string,
  page: Page,
): Promise<Omit<BoothEventList, 'events'> & { events: StoredEvent[] }> {
  const { cursor = afterEveryId, limit } = page;
  const rows = await db.all(listEvents, { account_id: accountId, before: cursor, limit });
  const now = db.now();
  return {
    events: await Promise.all(rows.map(async (row) => eventOf(await pausedWithMaker(db, row), now))),
    next_cursor: nextCursor(rows, limit, ({ id }) => id),
  };
}

/** What a change needs that is looked up before its transaction. */
export interface PreparedEventChange {
  change: BoothEventChange;
  /** The hash of a new password of the gallery; null for none, undefined where it stays. */
  passwordHash: string | null | undefined;
}

/** Refuses a change that no event could have, and hashes its password. */
export async function prepareEventChange(
  parts: EventParts,
  accountId: string,
  change: BoothEventChange,
): Promise<PreparedEventChange> {
  if (change.offers) await checkOffers(parts, accountId, change.offers);
  await checkPrinter(parts.db, accountId, change.printer_id ?? null);
  const webhook_url = change.webhook_url && checkWebhookUrl(parts, change.webhook_url);
  const passwordHash =
    change.gallery_password === undefined
      ? undefined
      : await hashGalleryPassword(parts, accountId, change.gallery_password);
  return { change: { ...change, webhook_url }, passwordHash };
}

/** The fields of an event after a change. With `mustFit`, throws where they do not fit each other. */
export function fieldsAfterChange(
  row: EventRow,
  { closed: _closed, ...given }: BoothEventChange,
  { passwordHash, mustFit = false }: { passwordHash?: string | null | undefined; mustFit?: boolean } = {},
): NewBoothEvent {
  const next = withGalleryQuestion({ ...fieldsOf(row), ...withoutUndefined(given) });
  if (mustFit) {
    checkFields(next);
    checkGallery(next, passwordHash === undefined ? row.gallery_password_hash : passwordHash);
  }
  return next;
}

/**
 * Writes a change into the row that was read. A budget below what was spent leaves nothing. Consent texts that change make a
 * new version of them; jobs name theirs. An event whose maker has ended becomes that of whoever changes it. Undefined where
 * the row has changed since it was read.
 */
export async function applyEventChange(
  tx: Queries,
  { id: accountId, maker_id }: EventMaker,
  row: EventRow,
  { change, passwordHash }: PreparedEventChange,
  now: number,
): Promise<{ fields: NewBoothEvent; passwordHash: string | null } | undefined> {
  if (row.erasure_begun_at !== null)
    throw new AppError('EVENT_ENDED', 'This event was erased and cannot be changed.');
  const { id } = row;
  const { closed = row.closed === 1 } = change;
  const next = fieldsAfterChange(row, change, { passwordHash, mustFit: true });
  const gallery_password_hash = passwordHash === undefined ? row.gallery_password_hash : passwordHash;
  const document = documentOf(next);
  const isNewConsent = document !== documentOf(fieldsOf(row));
  const consent_version = row.consent_version + (isNewConsent ? 1 : 0);
  const rows = await tx.run(updateEvent, {
    id,
    account_id: accountId,
    version: row.version,
    made_by: (await isKeyInForce(tx, row.made_by, now)) ? row.made_by : maker_id,
    ...columnsOf(next),
    gallery_password_hash,
    closed: closed ? 1 : 0,
    consent_version,
    updated_at: now,
  });
  if (rows === 0) return undefined;
  if (!next.hosted_engines) await tx.run(keepPhotosOfEvent, { event_id: id });
  const consent = { event_id: id, version: consent_version, document, created_at: now };
  if (isNewConsent) await tx.run(insertEventConsent, consent);
  return { fields: next, passwordHash: gallery_password_hash };
}

/** Changes an event at once. */
export async function changeEvent(
  parts: EventParts,
  maker: EventMaker,
  id: string,
  change: BoothEventChange,
  check: Precondition,
): Promise<void> {
  const { db } = parts;
  const prepared = await prepareEventChange(parts, maker.id, change);
  for (;;) {
    const changed = await db.transaction(async (tx) => {
      const row = await tx.one(findEvent, { id, account_id: maker.id });
      if (!row) throw eventNotFound();
      check(row.version);
      return applyEventChange(tx, maker, row, prepared, db.now());
    });
    if (!changed) continue;
    parts.changes.publish(id);
    return;
  }
}

/** Links to wall and gallery that were given out before are not valid any more. */
export async function rollLinks(
  { db, changes }: { db: Db; changes: Changes },
  own: { id: string; account_id: string },
): Promise<void> {
  if ((await db.run(rollEventLinks, { ...own, now: db.now() })) === 0) throw eventNotFound();
  changes.publish(own.id);
}

/** Only an event without guests and jobs, and with it its keys: what guests made is erased first, with a receipt. */
export async function removeEvent(
  { db, blobs }: { db: Db; blobs: Blobs },
  accountId: string,
  id: string,
  check: Precondition,
): Promise<void> {
  const overlays = await db.transaction(async (tx) => {
    const row = await tx.one(findEvent, { id, account_id: accountId });
    if (!row) throw eventNotFound();
    check(row.version);
    const counts = [
      await tx.one(countEventJobs, { event_id: id }),
      await tx.one(countEventGuests, { event_id: id }),
    ];
    if (counts.some((counted) => (counted?.count ?? 0) > 0)) throw notErased();
    await tx.run(revokeEventKeys, { event_id: id, now: db.now() });
    await tx.run(deleteEventConsents, { event_id: id });
    const rows = await tx.all(listEventOverlays, { event_id: id });
    await tx.run(deleteEventOverlays, { event_id: id });
    await tx.run(deleteStations, { event_id: id });
    await tx.run(deleteEvent, { id, account_id: accountId });
    return rows;
  });
  await Promise.all(overlays.map(({ blob_key }) => blobs.remove(blob_key)));
}

/** A field that is given as undefined is not changed. */
function withoutUndefined<T extends object>(given: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof withoutUndefined<T>
  >;
}

/** Texts in which a language has no consent are of no consent. */
function documentOf({ texts, questions }: Pick<NewBoothEvent, 'texts' | 'questions'>): string {
  const given = Object.entries(texts).flatMap(([language, { consent }]) =>
    consent === '' ? [] : [[language, consent] as const],
  );
  return JSON.stringify({ texts: Object.fromEntries(given), questions } satisfies ConsentDocument);
}

function checkFields(wanted: NewBoothEvent): void {
  const [begin, end] = [Date.parse(wanted.starts_at), Date.parse(wanted.ends_at)];
  if (end <= begin) throw wrongField('ends_at', 'must be after starts_at');
  if (end > begin + eventLimits.days * dayMs)
    throw wrongField('ends_at', `must be within ${eventLimits.days} days of starts_at`);
  const { safe_offer, safe_mode, offers } = wanted;
  if (safe_offer !== null && !offers.some(({ id }) => id === safe_offer))
    throw wrongField('safe_offer', 'must be the id of an offer');
  // Booths that show another offer send one photo.
  if (offers.some(({ id, kind }) => id === safe_offer && kind === 'living_portrait'))
    throw wrongField('safe_offer', 'must be an offer of pictures or videos');
  if (safe_mode && safe_offer === null) throw wrongField('safe_mode', 'needs a safe_offer');
  const misplaced = wrongPlaceOf(wanted);
  if (misplaced) throw wrongField(misplaced.path, misplaced.message);
}

/** Throws where the account has no such printer. */
async function checkPrinter(db: Db, account_id: string, id: string | null): Promise<void> {
  if (id !== null && !(await db.one(findPrinter, { id, account_id })))
    throw wrongField('printer_id', 'must be a printer of this account');
}

/** Null for no password. */
export async function hashGalleryPassword(
  { logins }: EventParts,
  accountId: string,
  password: string | null,
): Promise<string | null> {
  return password === null ? null : logins.hashPassword(password, accountId);
}

function checkGallery({ gallery }: Pick<NewBoothEvent, 'gallery'>, passwordHash: string | null): void {
  if (gallery === 'password' && passwordHash === null)
    throw wrongField('gallery_password', 'is needed for a gallery with a password');
}

function wrongField(path: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${path}: ${message}.`, { fields: [{ path, message }] });
}

/** What both the account and the booth see. */
export function shownEventOf(row: EventRow, now: number) {
  const { time_zone, ratios, texts, questions, details, blocked_words, moments, branding } = settingsOf(row);
  return {
    id: row.id,
    name: row.name,
    starts_at: isoTime(row.starts_at),
    ends_at: isoTime(row.ends_at),
    time_zone,
    state: eventStateOf(row, now),
    ratios,
    pictures_per_guest: row.pictures_per_guest,
    tries_per_guest: row.tries_per_guest,
    texts,
    questions,
    details,
    blocked_words,
    moments,
    consent_version: row.consent_version,
    branding,
    result_hours: row.result_hours,
  };
}

function eventOf(row: EventRow, now: number): StoredEvent {
  const { offers, safe_offer, safe_mode, wall, gallery, webhook_url, hosted_engines } = settingsOf(row);
  const { printer_id, prints_per_guest, print_limit, mail } = settingsOf(row);
  return {
    ...shownEventOf(row, now),
    offers,
    safe_offer,
    safe_mode,
    budget: row.budget,
    spent: row.spent,
    jobs: row.jobs,
    gpu_seconds: row.gpu_seconds,
    cost_usd: row.cost,
    wall,
    gallery,
    webhook_url,
    hosted_engines,
    printer_id,
    prints_per_guest,
    print_limit,
    mail,
    paused: row.paused === 1,
    closed: row.closed === 1,
    draft:
      row.draft === null
        ? null
        : { number: row.draft_number, changed_at: isoTime(row.draft_changed_at ?? row.updated_at) },
    can_undo: row.replaced !== null,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    erased_at: row.erased_at === null ? null : isoTime(row.erased_at),
  };
}
