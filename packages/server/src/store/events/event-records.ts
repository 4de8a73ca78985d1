import { raisedCosts } from '../job-records.ts';
import { columns, statement } from '../statement.ts';
import type { EventConsentRow, EventRow } from './event-schema.ts';

export const insertEvent = statement((db, p: EventRow) =>
  db
    .insertInto('booth_events')
    .values(
      columns(p, [
        'id',
        'account_id',
        'made_by',
        'name',
        'starts_at',
        'ends_at',
        'paused',
        'closed',
        'budget',
        'spent',
        'jobs',
        'gpu_seconds',
        'cost',
        'pictures_per_guest',
        'tries_per_guest',
        'result_hours',
        'consent_version',
        'settings',
        'draft',
        'draft_number',
        'draft_changed_at',
        'replaced',
        'links_version',
        'gallery_password_hash',
        'version',
        'created_at',
        'updated_at',
        'erasure_begun_at',
        'erased_at',
        'erasure',
      ]),
    ),
);

export const findEvent = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('booth_events').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

export const findEventById = statement((db, p: { id: string }) =>
  db.selectFrom('booth_events').selectAll().where('id', '=', p.id),
);

export const countEvents = statement((db, p: { account_id: string }) =>
  db
    .selectFrom('booth_events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', p.account_id),
);

/** An account's events that have not ended, the next one first. */
export const listComingEvents = statement((db, p: { account_id: string; now: number; limit: number }) =>
  db
    .selectFrom('booth_events')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('ends_at', '>', p.now)
    .orderBy('starts_at')
    .limit(p.limit),
);

/** An account's events, newest first, before the event `before`. */
export const listEvents = statement((db, p: { account_id: string; before: string; limit: number }) =>
  db
    .selectFrom('booth_events')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .where('id', '<', p.before)
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const edited = [
  'made_by',
  'name',
  'starts_at',
  'ends_at',
  'paused',
  'closed',
  'budget',
  'pictures_per_guest',
  'tries_per_guest',
  'result_hours',
  'consent_version',
  'settings',
  'gallery_password_hash',
  'updated_at',
] as const;
type EventEdit = Pick<EventRow, (typeof edited)[number] | 'id' | 'account_id' | 'version'>;

/** Makes the version after `version`. Changes no row when that is not the current one, or the event is being erased. */
export const updateEvent = statement((db, p: EventEdit) =>
  db
    .updateTable('booth_events')
    .set((eb) => ({ ...columns(p, edited), version: eb('version', '+', eb.lit(1)) }))
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id)
    .where('version', '=', p.version)
    .where('erasure_begun_at', 'is', null),
);

/** Saves a draft in place of the one with the number `before`, or of none. Changes no row when it is another one by now. */
export const writeEventDraft = statement(
  (db, p: Pick<EventRow, 'id' | 'draft' | 'draft_number' | 'draft_changed_at'> & { before: number }) =>
    db
      .updateTable('booth_events')
      .set({ draft: p.draft, draft_number: p.draft_number, draft_changed_at: p.draft_changed_at })
      .where('id', '=', p.id)
      .where('draft_number', '=', p.before)
      .where('erasure_begun_at', 'is', null),
);

/** Notes what a change that went live has replaced. */
export const keepReplacedFields = statement((db, p: Pick<EventRow, 'id' | 'replaced'>) =>
  db.updateTable('booth_events').set({ replaced: p.replaced }).where('id', '=', p.id),
);

/** Makes the links to wall and gallery anew: those before are not valid any more. */
export const rollEventLinks = statement((db, p: { id: string; account_id: string; now: number }) =>
  db
    .updateTable('booth_events')
    .set((eb) => ({
      links_version: eb('links_version', '+', eb.lit(1)),
      version: eb('version', '+', eb.lit(1)),
      updated_at: p.now,
    }))
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id),
);

export const deleteEvent = statement((db, p: { id: string; account_id: string }) =>
  db.deleteFrom('booth_events').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

/** Counts a job of an event that is open. Changes no row when it is not, or when its budget does not cover the price. */
export const spendEventBudget = statement((db, p: { id: string; price: number; now: number }) =>
  db
    .updateTable('booth_events')
    .set((eb) => ({ spent: eb('spent', '+', p.price), jobs: eb('jobs', '+', eb.lit(1)) }))
    .where('id', '=', p.id)
    .where('starts_at', '<=', p.now)
    .where('ends_at', '>', p.now)
    .where('paused', '=', 0)
    .where('closed', '=', 0)
    .where('erasure_begun_at', 'is', null)
    .where((eb) => eb.or([eb('budget', 'is', null), eb(eb('spent', '+', p.price), '<=', eb.ref('budget'))])),
);

/** Part of the transaction that refunds the price. */
export const returnToEventBudget = statement((db, p: { id: string; price: number }) =>
  db
    .updateTable('booth_events')
    .set((eb) => ({ spent: eb('spent', '-', p.price) }))
    .where('id', '=', p.id),
);

/** Part of the transaction that counts what servers took for one of its jobs. */
export const addToEventCosts = statement((db, p: { id: string; gpu_seconds: number; cost: number }) =>
  db.updateTable('booth_events').set(raisedCosts(p)).where('id', '=', p.id),
);

/** From here on the event accepts nothing. Keeps the time of an erasure that was begun before. */
export const beginErasure = statement((db, p: { id: string; account_id: string; now: number }) =>
  db
    .updateTable('booth_events')
    .set((eb) => ({
      closed: 1,
      erasure_begun_at: eb.fn.coalesce('erasure_begun_at', eb.val(p.now)),
      version: eb('version', '+', eb.lit(1)),
    }))
    .where('id', '=', p.id)
    .where('account_id', '=', p.account_id),
);

/** Keeps the receipt, or without a time what is about to be erased. */
export const endErasure = statement((db, p: { id: string; erased_at: number | null; erasure: string }) =>
  db.updateTable('booth_events').set({ erased_at: p.erased_at, erasure: p.erasure }).where('id', '=', p.id),
);

export const insertEventConsent = statement((db, p: EventConsentRow) =>
  db.insertInto('event_consents').values(columns(p, ['event_id', 'version', 'document', 'created_at'])),
);

export const findEventConsent = statement((db, p: { event_id: string; version: number }) =>
  db
    .selectFrom('event_consents')
    .selectAll()
    .where('event_id', '=', p.event_id)
    .where('version', '=', p.version),
);

/** All texts that guests were shown, oldest first. */
export const listEventConsents = statement((db, p: { event_id: string }) =>
  db.selectFrom('event_consents').selectAll().where('event_id', '=', p.event_id).orderBy('version'),
);

export const deleteEventConsents = statement((db, p: { event_id: string }) =>
  db.deleteFrom('event_consents').where('event_id', '=', p.event_id),
);

/** Revokes the keys of an event that are not revoked. */
export const revokeEventKeys = statement((db, p: { event_id: string; now: number }) =>
  db
    .updateTable('credentials')
    .set({ revoked_at: p.now })
    .where('event_id', '=', p.event_id)
    .where('revoked_at', 'is', null),
);
