import { sql } from 'kysely';
import { databaseNow } from '../database-clock.ts';
import { type Holder, isHeld, releasedNow, renewedNow } from '../lease.ts';
import { columns, statement } from '../statement.ts';
import { outboxOf } from './outbox-records.ts';
import type { EventPrintRow, PrinterRow } from './outbox-schema.ts';

export const insertPrinter = statement((db, p: PrinterRow) =>
  db.insertInto('printers').values(columns(p, ['id', 'account_id', 'name', 'url', 'trusted', 'created_at'])),
);

export const findPrinter = statement((db, p: { id: string; account_id: string }) =>
  db.selectFrom('printers').selectAll().where('id', '=', p.id).where('account_id', '=', p.account_id),
);

export const listPrinters = statement((db, p: { account_id: string; limit: number }) =>
  db
    .selectFrom('printers')
    .selectAll()
    .where('account_id', '=', p.account_id)
    .orderBy('name')
    .orderBy('id')
    .limit(p.limit),
);

export const deletePrinter = statement((db, p: { id: string; account_id: string }) =>
  db.deleteFrom('printers').where('id', '=', p.id).where('account_id', '=', p.account_id),
);

export const prints = outboxOf('event_prints', 'printer_id');

type NewPrint = Pick<
  EventPrintRow,
  | 'id'
  | 'event_id'
  | 'account_id'
  | 'guest_id'
  | 'job_id'
  | 'base_url'
  | 'key_id'
  | 'job_ids'
  | 'layout'
  | 'copies'
  | 'printer_id'
>;

export const insertPrint = statement((db, p: NewPrint) =>
  db.insertInto('event_prints').values((eb) => ({
    ...columns(p, [
      'id',
      'event_id',
      'account_id',
      'guest_id',
      'job_id',
      'base_url',
      'key_id',
      'job_ids',
      'layout',
      'copies',
      'printer_id',
    ]),
    state: sql.lit<EventPrintRow['state']>('waiting'),
    attempts: eb.lit(0),
    due_at: databaseNow(db),
    claim: eb.lit(0),
    created_at: databaseNow(db),
  })),
);

/** For the holder alone: which job of the printer it is, before that has its document. */
export const notePrinterJob = statement((db, p: Holder & { printer_job_id: number | null }) =>
  db
    .updateTable('event_prints')
    .set({ ...renewedNow(db), printer_job_id: p.printer_job_id })
    .where(isHeld(p)),
);

/** For the holder alone: the printer has all of it, and is asked again `wait_ms` from now. */
export const noteSent = statement((db, p: Holder & { attempts: number; wait_ms: number }) =>
  db
    .updateTable('event_prints')
    .set((eb) => ({
      ...releasedNow,
      state: sql.lit<EventPrintRow['state']>('printing'),
      sentence: null,
      attempts: p.attempts,
      sent_at: databaseNow(db),
      due_at: eb(databaseNow(db), '+', p.wait_ms),
    }))
    .where(isHeld(p)),
);

/** Ends a print that has not ended, and takes it from whoever works on it. */
export const cancelPrint = statement((db, p: { id: string; event_id: string }) =>
  db
    .updateTable('event_prints')
    .set({
      ...releasedNow,
      state: sql.lit<EventPrintRow['state']>('cancelled'),
      sentence: null,
      ended_at: databaseNow(db),
    })
    .where('id', '=', p.id)
    .where('event_id', '=', p.event_id)
    .where('ended_at', 'is', null)
    .returningAll(),
);

const counts = (state: string) => sql<boolean>`${sql.ref(state)} not in ('failed', 'cancelled')`;

/** Copies that booths have asked for of an event, without those that failed or were cancelled. */
export const countCopies = statement((db, p: { event_id: string }) =>
  db
    .selectFrom('event_prints')
    .select(({ fn }) => fn.sum<number | null>('copies').as('copies'))
    .where('event_id', '=', p.event_id)
    .where('key_id', 'is not', null)
    .where(counts('state')),
);

export const countCopiesOfGuest = statement((db, p: { guest_id: string }) =>
  db
    .selectFrom('event_prints')
    .select(({ fn }) => fn.sum<number | null>('copies').as('copies'))
    .where('guest_id', '=', p.guest_id)
    .where('key_id', 'is not', null)
    .where(counts('state')),
);

/** A picture of a guest, whose prints are few. */
type PictureOfGuest = Pick<EventPrintRow, 'guest_id' | 'job_id'>;

const isOn = ({ guest_id, job_id }: PictureOfGuest) =>
  sql<boolean>`(guest_id = ${guest_id} and job_ids like '%' || ${job_id} || '%')`;

/**
 * Ends the prints that a picture is on, and takes them from whoever works on them. What the printer has all of counts as
 * printed: paper may have been used.
 */
export const endPrintsOf = statement((db, p: PictureOfGuest & { account_id: string }) =>
  db
    .updateTable('event_prints')
    .set({
      ...releasedNow,
      state: sql<EventPrintRow['state']>`case when sent_at is null then 'cancelled' else 'printed' end`,
      sentence: null,
      ended_at: databaseNow(db),
    })
    .where(isOn(p))
    .where('account_id', '=', p.account_id)
    .where('ended_at', 'is', null)
    .returningAll(),
);

/** Of prints that an erased picture is on, leaves what counts for guest and event, and nothing else. */
export const anonymisePrintsOf = statement((db, p: PictureOfGuest) =>
  db
    .updateTable('event_prints')
    .set(({ fn }) => ({
      ...releasedNow,
      job_id: sql.lit(''),
      job_ids: sql.lit('[]'),
      base_url: sql.lit(''),
      printer_job_id: null,
      sentence: null,
      state: sql.lit<EventPrintRow['state']>('printed'),
      ended_at: fn.coalesce('ended_at', databaseNow(db)),
    }))
    .where(isOn(p))
    .where('sent_at', 'is not', null)
    .where('key_id', 'is not', null)
    .where(counts('state')),
);

/** Deletes the prints that a picture is on. */
export const deletePrintsOf = statement((db, p: PictureOfGuest) =>
  db.deleteFrom('event_prints').where(isOn(p)),
);
