import { createHash } from 'node:crypto';
import { mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Guise } from '@guise/client/guise.ts';
import { GuiseError } from '@guise/client/guise-error.ts';
import { replaceDurably } from '../durable-files.ts';
import { AppError } from '../errors.ts';
import { ifMissing } from '../missing-file.ts';
import { type PhotoFile, photoFiles } from './photo-files.ts';
import { type RunChoice, submitPhoto } from './submit-photo.ts';
import { freeName, openWatchRecords, type PhotoRecord, type WatchRecords } from './watch-records.ts';

export interface WatchOptions {
  input: string;
  output: string;
  guise: Guise;
  choice: RunChoice;
  /** Photos in work at once. */
  atOnce: number;
  print?: ((file: string) => Promise<void>) | undefined;
  report(counts: WatchCounts, message?: WatchMessage): void;
  signal: AbortSignal;
  /** Which one of several folders that are watched this is; none for a folder by itself. */
  subfolder?: string;
  /** After how long a photo is tried again. */
  retryMs?: number;
}

export interface WatchCounts {
  made: number;
  failed: number;
  inWork: number;
  waiting: number;
}

export type WatchMessage =
  | { kind: 'made'; photo: string; result: string }
  | { kind: 'failed'; photo: string; sentence: string }
  /** The folder that is watched is not there, such as that of a disk that was taken out. It is waited for. */
  | { kind: 'away'; folder: string }
  /** Photos lie beside the subfolders that are watched. It is told once. */
  | { kind: 'beside'; folder: string }
  /** The photo is tried again. It is told once, until something else is wrong or a picture was made. */
  | { kind: 'delayed'; photo: string; sentence: string }
  | { kind: 'not printed'; photo: string; sentence: string };

export const lookEveryMs = 500;
const usualRetryMs = 5000;

/** The photo is wrong: trying it again is no use. */
const photoFaults = ['JOB_FAILED', 'INVALID_IMAGE', 'PAYLOAD_TOO_LARGE', 'VALIDATION_ERROR'];
/** The server no longer has the job. */
const lostJobs = ['JOB_NOT_FOUND', 'JOB_EXPIRED'];

/**
 * Makes a picture of each photo that appears in a folder, exactly once, until the signal. Photos that are done are moved
 * to the folder `done` beside them, others to `failed` with the sentence for the guest beside them. Nothing is lost
 * by a kill at any point: how far a photo is stands in a record, and a photo that may have been submitted is submitted
 * again under the same idempotency key.
 */
export async function watchFolder(options: WatchOptions): Promise<void> {
  const { input, output, atOnce, report, signal } = options;
  const folders = { done: join(input, 'done'), failed: join(input, 'failed') };
  for (const folder of [output, ...Object.values(folders)]) await mkdir(folder, { recursive: true });
  const parts = { ...options, folders, records: await openWatchRecords(output), taken: new Set<string>() };
  const files = photoFiles(input);
  const inWork = new Map<string, Promise<void>>();
  const counts: WatchCounts = { made: 0, failed: 0, inWork: 0, waiting: 0 };
  let delayedBy: string | null = null;
  let isAway = false;
  const tell = (message?: WatchMessage) => {
    const isTold = message?.kind === 'delayed' && message.sentence === delayedBy;
    if (message?.kind === 'delayed') delayedBy = message.sentence;
    if (message?.kind === 'made') delayedBy = null;
    report({ ...counts, inWork: inWork.size }, isTold ? undefined : message);
  };

  while (!signal.aborted) {
    const listed = await files.list().catch(ifMissing(null));
    // Somebody who deletes a subfolder wants no pictures of it any more.
    if (listed === null && options.subfolder !== undefined) break;
    if (listed === null && !isAway) tell({ kind: 'away', folder: input });
    if (listed !== null && isAway)
      for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
    isAway = listed === null;
    const waiting = (listed ?? []).filter(({ name }) => !inWork.has(name));
    const next = waiting.splice(0, Math.max(0, atOnce - inWork.size));
    counts.waiting = waiting.length;
    for (const photo of next) {
      const work = makePicture(parts, photo, tell)
        .then((end) => {
          if (end) counts[end.kind]++;
          inWork.delete(photo.name);
          if (end) tell(end);
        })
        .catch((error) => {
          inWork.delete(photo.name);
          if (!signal.aborted)
            tell({ kind: 'delayed', photo: titleOf(parts, photo), sentence: sentenceOf(error) });
        });
      inWork.set(photo.name, work);
    }
    tell();
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
  }
  await Promise.all(inWork.values());
}

interface WatchParts extends WatchOptions {
  folders: { done: string; failed: string };
  records: WatchRecords;
  /** Places in the folders that are being written to. */
  taken: Set<string>;
}

type PhotoEnd = Extract<WatchMessage, { kind: 'made' | 'failed' }>;

/** Null when the signal came first. */
async function makePicture(
  parts: WatchParts,
  photo: PhotoFile,
  tell: (message: WatchMessage) => void,
): Promise<PhotoEnd | null> {
  const { records, signal } = parts;
  const bytes = await readFile(photo.path);
  const title = titleOf(parts, photo);
  const key = keyOf(title, photo, bytes);
  let record = await records.read(key);
  while (!signal.aborted) {
    try {
      const result = record.result ?? (await makeResult(parts, photo, bytes, { key, record }));
      // It may have been written by a process that was killed before it could put it in its place.
      await records.finishResult(key, result);
      await printOnce(parts, photo, key, tell);
      await moveAway(parts, photo, parts.folders.done);
      await records.remove(key);
      return { kind: 'made', photo: title, result: inSubfolder(parts, result) };
    } catch (error) {
      if (signal.aborted) return null;
      record = await records.read(key);
      const code = error instanceof GuiseError ? error.code : undefined;
      if (code !== undefined && photoFaults.includes(code)) {
        const moved = await moveAway(parts, photo, parts.folders.failed);
        const sentence = sentenceOf(error);
        await replaceDurably(`${moved}.txt`, `${sentence}\n`);
        await records.remove(key);
        return { kind: 'failed', photo: title, sentence };
      }
      if (code !== undefined && lostJobs.includes(code)) {
        record = { submits: record.submits + 1 };
        await records.write(key, record);
        continue;
      }
      tell({ kind: 'delayed', photo: title, sentence: `${sentenceOf(error)} ${adviceFor(error)}` });
      const { retryMs = usualRetryMs } = parts;
      const seconds = error instanceof GuiseError ? (error.retryAfterSeconds ?? 0) : 0;
      await sleep(Math.max(retryMs, 1000 * seconds), undefined, { signal }).catch(() => {});
    }
  }
  return null;
}

/** What a photo is called: its name, after that of its folder where several are watched. */
const titleOf = (parts: WatchParts, { name }: PhotoFile) => inSubfolder(parts, name);

const inSubfolder = ({ subfolder }: WatchParts, name: string) =>
  subfolder === undefined ? name : `${subfolder}/${name}`;

/** The same photo under the same name, as it was written: a copy that is put in again later is another one. */
function keyOf(title: string, { mtimeMs }: PhotoFile, bytes: Uint8Array): string {
  return createHash('sha256')
    .update(JSON.stringify([title, mtimeMs]))
    .update(bytes)
    .digest('hex');
}

async function makeResult(
  { guise, choice, records, signal }: WatchParts,
  photo: PhotoFile,
  bytes: Uint8Array,
  { key, record }: { key: string; record: PhotoRecord },
): Promise<string> {
  let { job } = record;
  if (!job) {
    const idempotencyKey = `watch-${key}-${record.submits}`;
    const { id, family } = await submitPhoto(guise, choice, bytes, { idempotencyKey, signal });
    job = { id, family };
    await records.write(key, { ...record, job });
  }
  const result = await guise.result(job, { signal });
  return records.putResult(key, { ...record, job }, photo.name, await result.bytes(signal));
}

/** Noted before it is printed: a picture that is missing can be printed by hand, paper cannot be taken back. */
async function printOnce(
  parts: WatchParts,
  photo: PhotoFile,
  key: string,
  tell: (message: WatchMessage) => void,
): Promise<void> {
  const { print, records, output } = parts;
  const record = await records.read(key);
  if (!print || record.printed || record.result === undefined) return;
  await records.write(key, { ...record, printed: true });
  await print(join(output, record.result)).catch((error) =>
    tell({ kind: 'not printed', photo: titleOf(parts, photo), sentence: sentenceOf(error) }),
  );
}

async function moveAway({ taken }: WatchParts, { name, path }: PhotoFile, folder: string): Promise<string> {
  const target = join(folder, freeName(folder, name, taken));
  await rename(path, target);
  return target;
}

/** What whoever runs the command can do, so that photos no longer wait. */
function adviceFor(error: unknown): string {
  const code = error instanceof GuiseError || error instanceof AppError ? error.code : '';
  return advice[code] ?? 'Photos wait, and are tried again.';
}

const otherFilter =
  'Photos wait. Start with another --filter, rename the subfolder, or point an alias of this name to a filter.';
const advice: Readonly<Record<string, string>> = {
  USAGE: otherFilter,
  FILTER_NOT_FOUND: otherFilter,
  FILTER_TYPE_MISMATCH: 'Photos wait. Start with another --filter or --kind.',
  INSUFFICIENT_CREDITS: 'Photos wait for credits: guise credits grant, or a key with a larger budget.',
  SCOPE_MISSING: 'Photos wait. Start with a key that has the scopes run and read.',
  UNAUTHORIZED: 'Photos wait. Start with a key that is valid.',
};

const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
