import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type NewPrinter,
  type Printer,
  type PrinterList,
  type PrinterReport,
  printLimits,
} from '@guise/contract/events/prints.ts';
import type { PictureTaskOf } from '@guise/engine/picture-tasks.ts';
import { samplePhotos } from '@guise/engine/samples.ts';
import { limitReached } from '../../catalog/limit-reached.ts';
import { AppError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { isoTime } from '../../iso-time.ts';
import { withScratchFolder } from '../../jobs/scratch.ts';
import { assertPrinterUrl, type CallPrinter, PrinterUnreachable } from '../../printing/ipp-client.ts';
import {
  askPrinter,
  createJob,
  type DocumentFormat,
  PrinterRefused,
  sendDocument,
} from '../../printing/printer.ts';
import type { Db } from '../../store/db.ts';
import type { PrinterRow } from '../../store/events/outbox-schema.ts';
import { deletePrinter, findPrinter, insertPrinter, listPrinters } from '../../store/events/print-records.ts';
import type { PictureTaskParts } from '../picture-task-parts.ts';

export interface PrinterParts {
  db: Db;
  callPrinter: CallPrinter;
}

const printerNotFound = () => new AppError('PRINTER_NOT_FOUND', 'There is no printer with this id.');

/** What the print maker calls the formats of printers. */
export const formatNames = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpeg',
  'image/png': 'png',
} as const satisfies Record<DocumentFormat, string>;

/** A row as IPP calls take it. */
export const addressOf = ({ account_id, url, trusted }: PrinterRow) => ({
  account_id,
  url,
  trusted: trusted === 1,
});

/** Asks the printer before it is stored: an address at which none answers is refused. */
export async function addPrinter(
  { db, callPrinter }: PrinterParts,
  { accountId, isOperator }: { accountId: string; isOperator: boolean },
  { name, url }: NewPrinter,
): Promise<Printer> {
  assertPrinterUrl(url);
  const now = db.now();
  const trusted = isOperator ? 1 : 0;
  const row: PrinterRow = { id: newId(now), account_id: accountId, name, url, trusted, created_at: now };
  const { report } = await askPrinter(callPrinter, { ...addressOf(row), isNew: true });
  if (report.state === 'unreachable') throw new AppError('PRINTER_NOT_REACHED', report.problems[0]!);
  await db.transaction(async (tx) => {
    const { length } = await tx.all(listPrinters, { account_id: accountId, limit: printLimits.printers });
    if (length >= printLimits.printers) throw limitReached(printLimits.printers, 'printers');
    await tx.run(insertPrinter, row);
  });
  return printerOf(row, report);
}

export async function readPrinters(db: Db, accountId: string): Promise<PrinterList> {
  const rows = await db.all(listPrinters, { account_id: accountId, limit: printLimits.printers });
  return { printers: rows.map((row) => printerOf(row, null)) };
}

/** With what it says of itself now. */
export async function readPrinter(
  { db, callPrinter }: PrinterParts,
  own: { id: string; account_id: string },
): Promise<Printer> {
  const row = await db.one(findPrinter, own);
  if (!row) throw printerNotFound();
  return printerOf(row, (await askPrinter(callPrinter, addressOf(row))).report);
}

export async function removePrinter(db: Db, own: { id: string; account_id: string }): Promise<void> {
  if ((await db.run(deletePrinter, own)) === 0) throw printerNotFound();
}

/** Prints a picture that comes with Guise on 4×6, and says how the printer is. */
export async function printTestPage(
  parts: PrinterParts & PictureTaskParts,
  own: { id: string; account_id: string },
  signal: AbortSignal,
): Promise<Printer> {
  const row = await parts.db.one(findPrinter, own);
  if (!row) throw printerNotFound();
  const [call, printer] = [parts.callPrinter, addressOf(row)];
  const abilities = await askPrinter(call, printer);
  const { format, report } = abilities;
  if (format === null || report.state === 'unreachable')
    throw new AppError('PRINTER_NOT_REACHED', report.problems[0] ?? 'The printer takes no prints.');
  const document = await withScratchFolder(parts.scratchDir, async (folder) => {
    const output = join(folder, 'print');
    const task: PictureTaskOf<'print'> = {
      kind: 'print',
      pictures: [{ file: samplePhotos.onePerson, overlay: null, written: [] }],
      layout: '4x6',
      template: null,
      format: formatNames[format],
      branding: {},
      title: 'Guise',
      date: isoTime(parts.db.now()).slice(0, 10),
      code: null,
      output,
    };
    await parts.pictureTasks.doTask(task, { accountId: own.account_id, part: own.id, signal });
    return readFile(output);
  });
  try {
    const job = { name: 'Guise test print', layout: '4x6', copies: 1 } as const;
    const jobId = await createJob(call, printer, abilities, job);
    await sendDocument(call, printer, jobId, { format, document });
  } catch (error) {
    if (error instanceof PrinterRefused) throw new AppError('PRINTER_NOT_REACHED', error.message);
    if (error instanceof PrinterUnreachable)
      throw new AppError('PRINTER_NOT_REACHED', 'The printer does not answer.', { cause: error });
    throw error;
  }
  return printerOf(row, report);
}

function printerOf({ id, name, url, created_at }: PrinterRow, report: PrinterReport | null): Printer {
  return { id, name, url, created_at: isoTime(created_at), report };
}
