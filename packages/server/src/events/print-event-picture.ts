import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Ratio } from '@guise/contract/common.ts';
import type { PrintQuery } from '@guise/contract/events/event-guests.ts';
import { usualLayoutOf } from '@guise/contract/events/events.ts';
import { type PrintLayout, stripLayouts } from '@guise/contract/events/print-template.ts';
import { findFamily } from '@guise/contract/families/families.ts';
import { AppError } from '../errors.ts';
import { jobExpired, jobNotFound } from '../jobs/read.ts';
import { openResult } from '../jobs/results/read-result.ts';
import { isLoop, stillKeyOf } from '../jobs/results/result-keys.ts';
import { withScratchFolder } from '../jobs/scratch.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findEventJob, listGuestJobs } from '../store/events/event-guest-records.ts';
import { listEventOverlays } from '../store/events/event-overlay-records.ts';
import type { EventJobRow, EventRow } from '../store/events/event-schema.ts';
import { findJob } from '../store/job-records.ts';
import type { JobRow } from '../store/schema.ts';
import { dateOf } from './event-date.ts';
import { fetchOverlays, laidRatioOf } from './event-overlays.ts';
import { settingsOf } from './event-settings.ts';
import { detailsOf, wordsOf } from './guest-details.ts';
import type { PictureTaskParts } from './picture-task-parts.ts';

/** Who prints: a booth what its key submitted, a guest the guest's own, the event's account all of it. */
export type PrintedBy = { keyId: string | null } | { guestId: string } | 'account';

export interface WantedPrint {
  event: EventRow;
  by: PrintedBy;
  /** The wanted picture, and on a strip those after it; without any after it, the guest's newest. */
  ids: readonly string[];
  layout?: PrintLayout | undefined;
  format: PrintQuery['format'];
  /** Where the page of the picture's guest is, for the code. */
  guestUrl(guestId: string): string;
  signal: AbortSignal;
}

export interface PrintFile {
  bytes: Buffer;
  type: 'image/png' | 'image/jpeg' | 'application/pdf';
  /** What a downloaded file is called. */
  name: string;
}

const types = { png: 'image/png', jpeg: 'image/jpeg', pdf: 'application/pdf' } as const;

/** On a strip there are four at most. */
const mostPictures = 4;

/** Lays a picture out for a printer. Prints are made when they are asked for and not stored: there is nothing to erase. */
export async function printEventPicture(
  parts: { db: Db; blobs: Blobs } & PictureTaskParts,
  { event, by, ids, layout, format, guestUrl, signal }: WantedPrint,
): Promise<PrintFile> {
  const { branding } = settingsOf(event);
  const wanted = layout ?? usualLayoutOf(branding);
  const { guestId, jobs, words } = await printedJobs(parts.db, event, by, ids);
  const template = branding.print_template?.paper === wanted ? branding.print_template : null;
  const shown = template || stripLayouts.includes(wanted) ? jobs : jobs.slice(0, 1);
  return withScratchFolder(parts.scratchDir, async (folder) => {
    const overlays = await fetchOverlays(
      parts.blobs,
      await parts.db.all(listEventOverlays, { event_id: event.id }),
      folder,
    );
    const pictures = await Promise.all(
      shown.map(async (job, i) => ({
        file: await writeResult(parts.blobs, job, join(folder, `picture-${i}.png`)),
        overlay: overlayOf(job, overlays),
        written: branding.overlay_texts ?? [],
      })),
    );
    const output = join(folder, `print.${format}`);
    const { background, text, accent } = branding;
    const task = {
      kind: 'print',
      pictures,
      layout: wanted,
      template,
      format,
      branding: { ...(background && { background }), ...(text && { text }), ...(accent && { accent }) },
      title: event.name,
      date: dateOf(event),
      words,
      code: branding.print_code || template ? guestUrl(guestId) : null,
      output,
    } as const;
    const part = by !== 'account' && 'keyId' in by ? (by.keyId ?? event.id) : guestId;
    await parts.pictureTasks.doTask(task, { accountId: event.account_id, part, signal });
    return { bytes: await readFile(output), type: types[format], name: `${ids[0]}-${wanted}.${format}` };
  });
}

interface PrintedJobs {
  guestId: string;
  jobs: JobRow[];
  /** What stands for what the guest gave. */
  words: Record<string, string>;
}

/** The jobs of wanted pictures, which are of one guest, and that guest's id. Throws unless all of them can be printed. */
export async function readPrintedJobs(
  db: Db,
  event: EventRow,
  by: PrintedBy,
  ids: readonly string[],
): Promise<PrintedJobs> {
  const jobs: JobRow[] = [];
  const { details } = settingsOf(event);
  let words: Record<string, string> = {};
  let guestId: string | undefined;
  for (const id of ids) {
    const row = await db.one(findEventJob, { job_id: id });
    const job = row?.event_id === event.id ? await findEventsJob(db, event, id) : undefined;
    if (!row || !job || !mayPrint(by, row, job)) throw jobNotFound();
    guestId ??= row.guest_id;
    words = { ...wordsOf(details, detailsOf(row), row.consent_language), ...words };
    if (row.guest_id !== guestId) throw jobNotFound();
    assertPrintable(job, db.now());
    jobs.push(job);
  }
  return { guestId: guestId!, jobs, words };
}

function mayPrint(by: PrintedBy, row: EventJobRow, job: JobRow): boolean {
  if (by === 'account') return true;
  return 'guestId' in by ? row.guest_id === by.guestId : job.key_id === by.keyId;
}

/** The wanted jobs; where that is one, the guest's other pictures after it, the newest first. */
async function printedJobs(
  db: Db,
  event: EventRow,
  by: PrintedBy,
  ids: readonly string[],
): Promise<PrintedJobs> {
  const wanted = await readPrintedJobs(db, event, by, ids);
  if (ids.length > 1) return wanted;
  const rows = await db.all(listGuestJobs, { guest_id: wanted.guestId, limit: 20 });
  const others = rows.filter(({ job_id }) => job_id !== ids[0]);
  const found = await Promise.all(others.map(({ job_id }) => findEventsJob(db, event, job_id)));
  const pictures = found.filter((other) => other !== undefined && isPrintable(other, db.now()));
  return { ...wanted, jobs: [...wanted.jobs, ...(pictures as JobRow[])].slice(0, mostPictures) };
}

const findEventsJob = (db: Db, { account_id }: EventRow, id: string) => db.one(findJob, { id, account_id });

/** Of a loop its still is printed. */
const isPicture = (job: JobRow) => findFamily(job.family)?.output === 'image' || isLoop(job);
const isPrintable = (job: JobRow, now: number) =>
  isPicture(job) && job.state === 'completed' && job.result_key !== null && job.expires_at > now;

function assertPrintable(job: JobRow, now: number): void {
  if (isPrintable(job, now)) return;
  if (!isPicture(job)) throw new AppError('VALIDATION_ERROR', 'This is a video, which cannot be printed.');
  if (job.state === 'failed') throw new AppError('JOB_FAILED', job.error ?? 'The picture could not be made.');
  if (job.state === 'completed') throw jobExpired();
  throw new AppError('JOB_NOT_ENDED', 'The picture is not ready yet. Try again in 2 s.', {
    headers: { 'retry-after': '2' },
  });
}

async function writeResult(blobs: Blobs, job: JobRow, file: string): Promise<string> {
  const key = job.result_key!;
  const result = await openResult(blobs, isLoop(job) ? stillKeyOf(key) : key);
  if (!result) throw jobExpired();
  await pipeline(result, createWriteStream(file));
  return file;
}

/** The overlay that was laid over a job's result, as the event has it now. */
function overlayOf(job: JobRow, overlays: Partial<Record<Ratio, string>>): string | null {
  const ratio = laidRatioOf(job);
  return ratio ? (overlays[ratio] ?? null) : null;
}
