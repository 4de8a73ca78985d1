import type { Booth } from '@guise/contract/events/event-guests.ts';
import { usualLayoutOf } from '@guise/contract/events/events.ts';
import {
  type EventPrint,
  type EventPrintList,
  type NewEventPrint,
  printLimits,
} from '@guise/contract/events/prints.ts';
import type { Page } from '@guise/contract/jobs.ts';
import { AppError } from '../../errors.ts';
import { afterEveryId, newId } from '../../ids.ts';
import { isoTime } from '../../iso-time.ts';
import type { Changes } from '../../jobs/changes.ts';
import type { KeepKey } from '../../jobs/create-once.ts';
import { nextCursor } from '../../next-cursor.ts';
import { cancelJob } from '../../printing/printer.ts';
import type { Db } from '../../store/db.ts';
import { findEvent } from '../../store/events/event-records.ts';
import type { EventRow } from '../../store/events/event-schema.ts';
import type { EventPrintRow } from '../../store/events/outbox-schema.ts';
import {
  cancelPrint,
  countCopies,
  countCopiesOfGuest,
  findPrinter,
  insertPrint,
  prints,
} from '../../store/events/print-records.ts';
import { holdEvent } from '../../store/events/station-records.ts';
import { readJson, TextList } from '../../store/json-column.ts';
import { settingsOf } from '../event-settings.ts';
import { eventNotFound } from '../event-state.ts';
import { type PrintedBy, readPrintedJobs } from '../print-event-picture.ts';
import { addressOf, type PrinterParts } from './printers.ts';

/** What is published when a print may be due, so that nodes send it before they would look again. */
export const printWaiting = 'print-waiting';

const printNotFound = () => new AppError('PRINT_NOT_FOUND', 'There is no print with this id.');
const noPrinter = () => new AppError('NO_PRINTER', 'This event has no printer.');
const limitOf = (sentence: string) => new AppError('PRINT_LIMIT_REACHED', sentence);

/** Null where the event has no printer: booths print by themselves. */
export async function boothPrintsOf(db: Db, event: EventRow): Promise<Booth['prints']> {
  const { printer_id, prints_per_guest } = settingsOf(event);
  if (printer_id === null) return null;
  const printer = await db.one(findPrinter, { id: printer_id, account_id: event.account_id });
  if (!printer) return null;
  return { copies: Math.min(printLimits.boothCopies, prints_per_guest ?? printLimits.boothCopies) };
}

export interface WantedEventPrint {
  event: EventRow;
  by: Extract<PrintedBy, { keyId: unknown } | 'account'>;
  /** Where guests reach this server. */
  baseUrl: string;
  wanted: NewEventPrint;
  keepKey: KeepKey;
}

/** Puts a print into the queue. Limits per guest and event count what booths ask for; the operator's own do not. */
export async function createPrint(
  { db, changes }: { db: Db; changes: Changes },
  { event, by, baseUrl, wanted, keepKey }: WantedEventPrint,
): Promise<EventPrint> {
  const { printer_id, prints_per_guest, print_limit, branding } = settingsOf(event);
  if (printer_id === null) throw noPrinter();
  if (!(await db.one(findPrinter, { id: printer_id, account_id: event.account_id }))) throw noPrinter();
  const { guestId } = await readPrintedJobs(db, event, by, wanted.job_ids);
  const id = newId(db.now());
  const row = await db.transaction(async (tx) => {
    // The event's row is held, so that of prints at the same time each sees those before it.
    if ((await tx.run(holdEvent, { id: event.id })) === 0) throw eventNotFound();
    await keepKey(tx, id);
    if (by !== 'account') {
      const ofGuest = (await tx.one(countCopiesOfGuest, { guest_id: guestId }))?.copies ?? 0;
      if (Number(ofGuest) + wanted.copies > (prints_per_guest ?? Infinity))
        throw limitOf('You have had all your prints.');
      const ofEvent = (await tx.one(countCopies, { event_id: event.id }))?.copies ?? 0;
      if (Number(ofEvent) + wanted.copies > (print_limit ?? Infinity))
        throw limitOf('All prints of this event have been made.');
    }
    await tx.run(insertPrint, {
      id,
      event_id: event.id,
      account_id: event.account_id,
      guest_id: guestId,
      job_id: wanted.job_ids[0]!,
      base_url: baseUrl,
      key_id: by === 'account' ? null : by.keyId,
      job_ids: JSON.stringify(wanted.job_ids),
      layout: wanted.layout ?? usualLayoutOf(branding),
      copies: wanted.copies,
      printer_id,
    });
    return (await tx.one(prints.find, { id, event_id: event.id }))!;
  });
  changes.publish(printWaiting);
  changes.publish(event.id);
  return printOf(row);
}

/** Of a booth, what its key asked for. */
export async function readPrint(
  db: Db,
  event: EventRow,
  id: string,
  keyId: string | null,
): Promise<EventPrint> {
  const row = await db.one(prints.find, { id, event_id: event.id });
  if (row?.key_id !== keyId || keyId === null) throw printNotFound();
  return printOf(row);
}

/** Newest first. */
export async function readPrints(
  db: Db,
  own: { id: string; account_id: string },
  { cursor = afterEveryId, limit }: Page,
): Promise<EventPrintList> {
  if (!(await db.one(findEvent, own))) throw eventNotFound();
  const rows = await db.all(prints.list, { event_id: own.id, before: cursor, limit });
  return { prints: rows.map(printOf), next_cursor: nextCursor(rows, limit, ({ id }) => id) };
}

/** Stops a print that has not ended, as far as the printer still can. */
export async function stopPrint(
  { db, callPrinter, changes }: PrinterParts & { changes: Changes },
  own: { id: string; account_id: string },
  printId: string,
): Promise<EventPrint> {
  if (!(await db.one(findEvent, own))) throw eventNotFound();
  const of = { id: printId, event_id: own.id };
  const cancelled = await db.one(cancelPrint, of);
  const row = cancelled ?? (await db.one(prints.find, of));
  if (!row) throw printNotFound();
  if (cancelled && cancelled.printer_job_id !== null) {
    const printer = await db.one(findPrinter, { id: cancelled.printer_id, account_id: own.account_id });
    // A printer that does not answer prints it all the same.
    if (printer) await cancelJob(callPrinter, addressOf(printer), cancelled.printer_job_id).catch(() => {});
  }
  changes.publish(own.id);
  return printOf(row);
}

export const jobIdsOf = ({ job_ids }: Pick<EventPrintRow, 'job_ids'>): string[] =>
  readJson(TextList, job_ids);

function printOf(row: EventPrintRow): EventPrint {
  const { id, state, layout, copies, printer_id, attempts, sentence } = row;
  const timeOf = (time: number | null) => (time === null ? null : isoTime(time));
  return {
    id,
    state,
    job_ids: jobIdsOf(row),
    layout,
    copies,
    printer_id,
    by: row.key_id === null ? 'operator' : 'booth',
    attempts,
    sentence,
    created_at: isoTime(row.created_at),
    sent_at: timeOf(row.sent_at),
    ended_at: timeOf(row.ended_at),
  };
}
