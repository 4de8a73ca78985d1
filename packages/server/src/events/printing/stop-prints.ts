import { setTimeout as sleep } from 'node:timers/promises';
import { cancelJob } from '../../printing/printer.ts';
import { findEventJob } from '../../store/events/event-guest-records.ts';
import type { EventPrintRow } from '../../store/events/outbox-schema.ts';
import { endPrintsOf, findPrinter } from '../../store/events/print-records.ts';
import { addressOf, type PrinterParts } from './printers.ts';

/** A guest waits for the erasure of a picture, and a call to a printer that does not answer takes 15 s. */
const longestWaitMs = 3000;

/** Ends the prints of an account's picture that is about to be erased, at their printers too, as far as these still can. */
export async function stopPrintsOf(parts: PrinterParts, accountId: string, jobId: string): Promise<void> {
  const row = await parts.db.one(findEventJob, { job_id: jobId });
  if (!row) return;
  const { guest_id, job_id } = row;
  const ended = await parts.db.all(endPrintsOf, { guest_id, job_id, account_id: accountId });
  const sent = ended.filter(({ printer_job_id }) => printer_job_id !== null);
  if (sent.length === 0) return;
  const waiting = new AbortController();
  const timeUp = sleep(longestWaitMs, undefined, { signal: waiting.signal }).catch(() => {});
  await Promise.race([timeUp, Promise.all(sent.map((print) => stopAtPrinter(parts, print)))]);
  waiting.abort();
}

async function stopAtPrinter({ db, callPrinter }: PrinterParts, print: EventPrintRow): Promise<void> {
  const { printer_id: id, account_id, printer_job_id } = print;
  const printer = await db.one(findPrinter, { id, account_id });
  // A printer that does not answer prints it all the same.
  if (printer) await cancelJob(callPrinter, addressOf(printer), printer_job_id!).catch(() => {});
}
