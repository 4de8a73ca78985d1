import { createWriteStream } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import { openResult } from '../jobs/results/read-result.ts';
import { fileEndingOf, momentKeyOf } from '../jobs/results/result-keys.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { listEventJobs } from '../store/events/event-guest-records.ts';
import { findEventById, listEventConsents } from '../store/events/event-records.ts';
import type { EventJobRow } from '../store/events/event-schema.ts';
import { findJobById } from '../store/job-records.ts';
import type { JobRow } from '../store/schema.ts';
import { consentOf, readConsentDocument } from './consent.ts';
import { pictureNamer } from './picture-names.ts';

const batch = 200;

export interface ExportedEvent {
  event: string;
  jobs: number;
  pictures: number;
  consents: number;
}

interface Parts {
  db: Db;
  blobs: Blobs;
}

/**
 * Writes an event as a folder: `pictures/`, `jobs.csv`, `consents.csv` and the texts that guests agreed to in
 * `consent-texts.json`. The folder must be new or empty, so that nothing of another evening is mixed in.
 */
export async function exportEvent(parts: Parts, id: string, folder: string): Promise<ExportedEvent> {
  const { db } = parts;
  const event = await db.one(findEventById, { id });
  if (!event) throw new AppError('USAGE', `There is no event ${id}.`);
  await mkdir(join(folder, 'pictures'), { recursive: true, mode: 0o700 }).catch((cause) => {
    throw new AppError('USAGE', `${folder} cannot be written to.`, { cause });
  });
  const before = await readdir(folder);
  if (before.length > 1 || (await readdir(join(folder, 'pictures'))).length > 0)
    throw new AppError('USAGE', `${folder} is not empty. Name a new folder.`);

  const counts: ExportedEvent = { event: event.name, jobs: 0, pictures: 0, consents: 0 };
  const jobLines: (string | number)[][] = [];
  const consentLines: (string | number)[][] = [];
  const nameOf = pictureNamer(event);
  for await (const row of jobsOf(db, id)) {
    const job = await db.one(findJobById, { id: row.job_id });
    const path = join(folder, 'pictures', nameOf(row));
    const file = job ? await writePicture(parts.blobs, job, path) : '';
    if (file !== '' && row.moment === 1) await writeMoment(parts.blobs, row.job_id, path);
    jobLines.push(jobLine(row, job, file));
    counts.jobs++;
    if (file !== '') counts.pictures++;
    const consent = consentOf(row);
    if (!consent) continue;
    const { version, language, answers, given_at } = consent;
    consentLines.push([row.job_id, row.guest_id, given_at, version, language, JSON.stringify(answers)]);
    counts.consents++;
  }
  const texts = (await db.all(listEventConsents, { event_id: id })).map((row) => ({
    version: row.version,
    since: isoTime(row.created_at),
    ...readConsentDocument(row),
  }));
  await writeFile(join(folder, 'jobs.csv'), csvOf(jobColumns, jobLines), { mode: 0o600 });
  await writeFile(join(folder, 'consents.csv'), csvOf(consentColumns, consentLines), { mode: 0o600 });
  await writeFile(join(folder, 'consent-texts.json'), `${JSON.stringify(texts, null, 2)}\n`, { mode: 0o600 });
  return counts;
}

const jobColumns = [
  'job_id',
  'guest_id',
  'offer',
  'created_at',
  'state',
  'credits',
  'file',
  'error',
  'details',
];
const consentColumns = ['job_id', 'guest_id', 'given_at', 'text_version', 'language', 'answers'];

/** Of a job that has failed, the credits came back; of one that was purged, only the consent is known. */
function jobLine(row: EventJobRow, job: JobRow | undefined, file: string): (string | number)[] {
  const credits = row.counted === 1 ? row.price : 0;
  const state = job?.state ?? 'expired';
  return [
    row.job_id,
    row.guest_id,
    row.offer_id,
    isoTime(row.created_at),
    state,
    credits,
    file,
    job?.error ?? '',
    row.details ?? '',
  ];
}

async function* jobsOf(db: Db, event_id: string): AsyncGenerator<EventJobRow> {
  for (let before = '~'; ; ) {
    const rows = await db.all(listEventJobs, { event_id, before, limit: batch });
    yield* rows;
    if (rows.length < batch) return;
    before = rows.at(-1)!.job_id;
  }
}

/** Its path in the folder; empty where there is no result, or it has expired. */
async function writePicture(blobs: Blobs, job: JobRow, path: string): Promise<string> {
  const result = job.result_key === null ? undefined : await openResult(blobs, job.result_key);
  if (!result) return '';
  const file = `${path}.${fileEndingOf(job.result_key!)}`;
  await pipeline(result, createWriteStream(file, { mode: 0o600 }));
  return `pictures/${basename(file)}`;
}

async function writeMoment(blobs: Blobs, jobId: string, path: string): Promise<void> {
  const moment = await blobs.open(momentKeyOf(jobId));
  if (moment) await pipeline(moment.stream(), createWriteStream(`${path}, moment.gif`, { mode: 0o600 }));
}

function csvOf(columns: readonly string[], lines: readonly (string | number)[][]): string {
  return [columns, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/** A cell that begins as a formula of a spreadsheet does gets an apostrophe before it. */
function csvCell(value: string | number): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
