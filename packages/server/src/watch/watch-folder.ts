import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, stat } from 'node:fs/promises';
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
  /**
   * The folder that is watched is not there, such as that of a disk that was taken out; with a sentence, it cannot be
   * read or written. It is waited for.
   */
  | { kind: 'away'; folder: string; sentence?: string }
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
    const listed = await readFolder(input, () => files.list());
    // Somebody who deletes a subfolder wants no pictures of it any more. One that cannot be read may come back.
    if ('kind' in listed && listed.sentence === undefined && options.subfolder !== undefined) break;
    if ('kind' in listed && !isAway) tell(listed);
    isAway = 'kind' in listed;
    const waiting = ('kind' in listed ? [] : listed).filter(({ name }) => !inWork.has(name));
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
            tell({ kind: 'delayed', photo: titleOf(parts, photo), sentence: errorText(error) });
        });
      inWork.set(photo.name, work);
    }
    tell();
    await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
  }
  await Promise.all(inWork.values());
}

/** What is read of a folder, or why it is waited for: shares and disks have many errors for being away. */
export async function readFolder<T>(folder: string, read: () => Promise<T[]>): Promise<T[] | AwayMessage> {
  try {
    return await read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'away', folder };
    return { kind: 'away', folder, sentence: errorText(error) };
  }
}

interface WatchParts extends WatchOptions {
  folders: { done: string; failed: string };
  records: WatchRecords;
  /** Places in the folders that are being written to. */
  taken: Set<string>;
}

type AwayMessage = Extract<WatchMessage, { kind: 'away' }>;
type PhotoEnd = Extract<WatchMessage, { kind: 'made' | 'failed' }>;

/** Null when the signal came first, or when the photo is no longer the one that was seen. */
async function makePicture(
  parts: WatchParts,
  photo: PhotoFile,
  tell: (message: WatchMessage) => void,
): Promise<PhotoEnd | null> {
  const { records, signal } = parts;
  const bytes = await readFile(photo.path).catch(ifMissing(null));
  if (bytes === null || (await lookAgain(photo)) !== 'same') return null;
  const title = titleOf(parts, photo);
  const key = keyOf(title, photo, bytes);
  let record = await records.read(key);
  while (!signal.aborted) {
    try {
      const result = record.result ?? (await makeResult(parts, photo, bytes, { key, record }));
      // It may have been written by a process that was killed before it could put it in its place.
      await records.finishResult(key, result);
      await printOnce(parts, photo, key, tell);
      await putAside(parts, photo, key, parts.folders.done);
      return { kind: 'made', photo: title, result: inSubfolder(parts, result) };
    } catch (error) {
      if (signal.aborted) return null;
      record = await records.read(key);
      const code = error instanceof GuiseError ? error.code : undefined;
      if (code !== undefined && photoFaults.includes(code)) {
        const sentence = errorText(error);
        const moved = await putAside(parts, photo, key, parts.folders.failed);
        if (moved !== null) await replaceDurably(`${moved}.txt`, `${sentence}\n`);
        return { kind: 'failed', photo: title, sentence };
      }
      if (code !== undefined && lostJobs.includes(code)) {
        record = { submits: record.submits + 1 };
        await records.write(key, record);
        continue;
      }
      tell({ kind: 'delayed', photo: title, sentence: `${errorText(error)} ${adviceFor(error)}` });
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
    tell({ kind: 'not printed', photo: titleOf(parts, photo), sentence: errorText(error) }),
  );
}

/**
 * Moves a photo that is done, and gives its new place. One that is not there stays on record: it may come back with the
 * disk that it is on. One that was overwritten is another photo, which is left to the next look.
 */
async function putAside(
  { records, taken }: WatchParts,
  photo: PhotoFile,
  key: string,
  folder: string,
): Promise<string | null> {
  const now = await lookAgain(photo);
  if (now === 'missing') return null;
  const moved = now === 'same' ? await moveAway(photo, folder, taken) : null;
  await records.remove(key);
  return moved;
}

/** Somebody may have deleted the folder. */
async function moveAway({ name, path }: PhotoFile, folder: string, taken: Set<string>): Promise<string> {
  await mkdir(folder, { recursive: true });
  const target = join(folder, freeName(folder, name, taken));
  await rename(path, target);
  return target;
}

/** Whether a photo is still the file that was seen: booths overwrite files, guests' hosts delete them. */
async function lookAgain({ path, size, mtimeMs }: PhotoFile): Promise<'same' | 'other' | 'missing'> {
  const found = await stat(path).catch(ifMissing(null));
  if (!found) return 'missing';
  return found.size === size && found.mtimeMs === mtimeMs ? 'same' : 'other';
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

export const errorText = (error: unknown) => (error instanceof Error ? error.message : String(error));
