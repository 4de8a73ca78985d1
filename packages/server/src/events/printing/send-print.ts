import { AppError } from '../../errors.ts';
import { type CallPrinter, type PrinterAddress, PrinterUnreachable } from '../../printing/ipp-client.ts';
import {
  askPrinter,
  cancelJob,
  createJob,
  type PrinterAbilities,
  type PrinterJob,
  PrinterRefused,
  readJob,
  sendDocument,
} from '../../printing/printer.ts';
import { sentencesOf } from '../../printing/printer-words.ts';
import type { Blobs } from '../../store/blobs.ts';
import { findEventById } from '../../store/events/event-records.ts';
import type { EventPrintRow } from '../../store/events/outbox-schema.ts';
import { findPrinter, notePrinterJob, noteSent, prints } from '../../store/events/print-records.ts';
import { isFull } from '../../store/storage-unavailable.ts';
import type { OutboxParts } from '../outbox-loop.ts';
import type { PictureTaskParts } from '../picture-task-parts.ts';
import { printEventPicture } from '../print-event-picture.ts';
import { jobIdsOf } from './event-prints.ts';
import { addressOf, formatNames } from './printers.ts';

export interface PrintQueueParts extends OutboxParts, PictureTaskParts {
  blobs: Blobs;
  callPrinter: CallPrinter;
  /** The page of a guest, under an address that guests reach. */
  guestUrl(baseUrl: string, guestId: string): string;
}

/** How soon a printer is asked again: for a job that it prints, and when it could not take one. */
const followMs = 1500;
const faultMs = 4000;
/** Waits after a refusal; then the print has failed. */
const refusedWaitsMs = [2000, 5000, 15_000, 60_000];
export const longestPrintWaitMs = Math.max(followMs, faultMs, ...refusedWaitsMs);
/** A print that a fault has held up for so long is given up: its guest has left. */
const longestMs = 12 * 3600_000;

/** What comes of one look at a claimed print. */
type Outcome =
  | { kind: 'again'; sentence: string; waitMs: number; counts?: true }
  | { kind: 'sent' }
  | { kind: 'ended'; state: 'printed' | 'failed'; sentence: string | null }
  /** It was cancelled, or another process has it. */
  | { kind: 'lost' };

const failed = (sentence: string): Outcome => ({ kind: 'ended', state: 'failed', sentence });

/**
 * Takes a claimed print one step further: sends it, or asks what became of it. The printer's job is made and written down
 * before it has a document, so that whoever continues after a crash asks for that job and sends nothing twice.
 */
export async function advancePrint(parts: PrintQueueParts, row: EventPrintRow): Promise<void> {
  const outcome = await lookAt(parts, row);
  const { id, claim, attempts, state } = row;
  const { db } = parts;
  switch (outcome.kind) {
    case 'lost':
      return;
    case 'sent':
      await db.run(noteSent, { id, claim, attempts: attempts + 1, wait_ms: followMs });
      break;
    case 'ended':
      await db.run(prints.end, {
        ...outcome,
        id,
        claim,
        attempts,
        sent: outcome.state === 'printed' ? 1 : 0,
      });
      break;
    case 'again': {
      const tries = attempts + (outcome.counts ? 1 : 0);
      const isOver = tries > refusedWaitsMs.length || db.now() - row.created_at > longestMs;
      const told = { id, claim, sentence: outcome.sentence, attempts: tries };
      if (isOver) await db.run(prints.end, { ...told, state: 'failed', sent: 0 });
      else await db.run(prints.giveBack, { ...told, state, wait_ms: outcome.waitMs });
    }
  }
  parts.changes.publish(row.event_id);
}

async function lookAt(parts: PrintQueueParts, row: EventPrintRow): Promise<Outcome> {
  const { db, callPrinter } = parts;
  const stored = await db.one(findPrinter, { id: row.printer_id, account_id: row.account_id });
  if (!stored) return failed('The printer was removed.');
  const printer = addressOf(stored);
  try {
    const abilities = await askPrinter(callPrinter, printer);
    if (abilities.report.state === 'unreachable') return held(abilities);
    if (row.state === 'printing') return await followJob(parts, printer, abilities, row);
    if (abilities.format === null) return failed(abilities.report.problems.at(-1)!);
    if (row.copies > abilities.mostCopies)
      return failed(`The printer takes at most ${abilities.mostCopies} copies at once.`);
    return await sendPrint(parts, printer, abilities, row);
  } catch (error) {
    return outcomeOf(parts, row, error);
  }
}

/** Something has to be done at the printer. */
const held = ({ report: { problems } }: PrinterAbilities): Outcome => ({
  kind: 'again',
  sentence: problems.join(' ') || 'The printer has stopped.',
  waitMs: faultMs,
});

function outcomeOf({ log }: PrintQueueParts, row: EventPrintRow, error: unknown): Outcome {
  if (error instanceof PrinterUnreachable)
    return { kind: 'again', sentence: 'The printer does not answer.', waitMs: faultMs };
  if (error instanceof PrinterRefused) {
    if (error.isBusy) return { kind: 'again', sentence: 'The printer is busy.', waitMs: followMs };
    const waitMs = refusedWaitsMs[row.attempts] ?? 0;
    return { kind: 'again', sentence: error.message, waitMs, counts: true };
  }
  const later = { kind: 'again', sentence: 'The print could not be made now.', waitMs: faultMs } as const;
  if (isPassing(error)) {
    log.warn({ err: error, print: row.id }, 'a print waits');
    return later;
  }
  if (error instanceof AppError) return failed(error.message);
  log.error({ err: error, print: row.id }, 'a print could not be made');
  return { ...later, counts: true };
}

/** Whether it is nothing of the print: the storage is away or full, or others are worked on. */
const isPassing = (error: unknown) =>
  isFull(error) || (error instanceof AppError && (error.retryable || error.code === 'OVERLOADED'));

async function sendPrint(
  parts: PrintQueueParts,
  printer: PrinterAddress,
  abilities: PrinterAbilities,
  row: EventPrintRow,
): Promise<Outcome> {
  const { db, callPrinter: call } = parts;
  const { id, claim } = row;
  const begun = row.printer_job_id === null ? null : await readJob(call, printer, row.printer_job_id);
  if (row.printer_job_id !== null && begun?.name !== row.id)
    return failed('It is not known whether this was printed. Print it again if it is missing.');
  // Sent before a crash that came before it was noted.
  if (begun && begun.state !== 'incoming' && begun.state !== 'ended') return { kind: 'sent' };
  // It was cut off in its document, which may have cost a sheet.
  if (begun?.state === 'ended') {
    if ((await db.run(notePrinterJob, { id, claim, printer_job_id: null })) === 0) return { kind: 'lost' };
    return {
      kind: 'again',
      sentence: cancelledBy(begun),
      waitMs: refusedWaitsMs[row.attempts] ?? 0,
      counts: true,
    };
  }
  if (abilities.report.state === 'stopped') return held(abilities);
  const format = abilities.format!;
  const document = await renderPrint(parts, row, format);
  const wanted = { name: row.id, layout: row.layout, copies: row.copies };
  const jobId = begun ? row.printer_job_id! : await createJob(call, printer, abilities, wanted);
  const noted = await db.run(notePrinterJob, { id, claim, printer_job_id: jobId });
  if (noted === 0) {
    await cancelJob(call, printer, jobId);
    return { kind: 'lost' };
  }
  await sendDocument(call, printer, jobId, { format, document });
  return { kind: 'sent' };
}

async function renderPrint(
  parts: PrintQueueParts,
  row: EventPrintRow,
  format: keyof typeof formatNames,
): Promise<Buffer> {
  const event = (await parts.db.one(findEventById, { id: row.event_id }))!;
  const { bytes } = await printEventPicture(parts, {
    event,
    by: 'account',
    ids: jobIdsOf(row),
    layout: row.layout,
    format: formatNames[format],
    guestUrl: (guestId) => parts.guestUrl(row.base_url, guestId),
    signal: AbortSignal.timeout(30_000),
  });
  return bytes;
}

function cancelledBy({ reasons }: PrinterJob): string {
  const why = sentencesOf(reasons.filter((reason) => !reason.startsWith('job-')));
  return ['The printer cancelled this print.', ...why].join(' ');
}

/** What has become of a job that the printer has all of. One that it has forgotten is printed. */
async function followJob(
  { callPrinter }: PrintQueueParts,
  printer: PrinterAddress,
  abilities: PrinterAbilities,
  row: EventPrintRow,
): Promise<Outcome> {
  const job = await readJob(callPrinter, printer, row.printer_job_id!);
  if (job === null || job.name !== row.id || job.state === 'printed')
    return { kind: 'ended', state: 'printed', sentence: null };
  if (job.state === 'ended') return failed(cancelledBy(job));
  const { problems } = abilities.report;
  return { kind: 'again', sentence: problems.join(' '), waitMs: followMs };
}
