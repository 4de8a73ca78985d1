import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { ffmpeg } from '../engines/workflow/run-ffmpeg.ts';
import { AppError } from '../errors.ts';
import { openResult } from '../jobs/results/read-result.ts';
import { convertedKeysOf, jobIdOf, resultKeysOf } from '../jobs/results/result-keys.ts';
import { type Decoder, type FileTasks, thumbnailSize } from '../media/decoder.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findJobById } from '../store/job-records.ts';
import type { JobRow } from '../store/schema.ts';
import { type ConvertedFormat, convertLoop } from './convert-loop.ts';

/**
 * Small pictures of results, and loops in other formats, made when they are first asked for: most results are fetched
 * by a booth and never listed.
 */
export interface Thumbnails {
  /** Makes the file with this key unless it is there already; false when there is no result to make it of. */
  ensure(key: string): Promise<boolean>;
}

interface Parts {
  db: Db;
  blobs: Blobs;
  decoder: Decoder;
  log: Logger;
}

const timeLimitMs = 20_000;

export function createThumbnails(parts: Parts): Thumbnails {
  const making = new Map<string, Promise<boolean>>();
  return {
    async ensure(key) {
      const existing = await parts.blobs.open(key);
      await existing?.close();
      if (existing) return true;
      const begun = making.get(key) ?? makeOfResult(parts, key).finally(() => making.delete(key));
      making.set(key, begun);
      return begun;
    },
  };
}

async function makeOfResult(parts: Parts, key: string): Promise<boolean> {
  const job = await parts.db.one(findJobById, { id: jobIdOf(key) });
  const resultKey = job?.result_key;
  if (!resultKey || !isMadeOf(job, resultKey, key)) return false;
  try {
    const made = await parts.decoder.inTurn({ accountId: job.account_id }, async (tasks, folder) => {
      const result = await openResult(parts.blobs, resultKey);
      if (!result) return false;
      const file = join(folder, 'result');
      await writeFile(file, result);
      const made = key.startsWith('loops/')
        ? await convertLoop(file, key.slice(key.lastIndexOf('.') + 1) as ConvertedFormat)
        : await shrinkResult(tasks, file, resultKey.endsWith('.mp4'));
      await parts.blobs.put(key, await readFile(made));
      return true;
    });
    if (!made) return false;
  } catch (error) {
    if (error instanceof AppError && error.code === 'OVERLOADED') throw error;
    parts.log.warn({ err: error, blob: resultKey }, 'no thumbnail or other format could be made');
    return false;
  }
  // Erased or expired meanwhile: whoever did that found no thumbnail to remove.
  if ((await parts.db.one(findJobById, { id: jobIdOf(key) }))?.result_key === resultKey) return true;
  await parts.blobs.remove(key);
  return false;
}

/** Whether a key is of a file that is made of a job's result. */
function isMadeOf(job: JobRow, resultKey: string, key: string): boolean {
  return key.startsWith('loops/')
    ? convertedKeysOf(job).includes(key)
    : resultKeysOf(key).includes(resultKey);
}

async function shrinkResult(tasks: FileTasks, file: string, isVideo: boolean): Promise<string> {
  const target = `${file}-thumbnail.webp`;
  const picture = isVideo ? await firstFrame(file) : file;
  await tasks.shrinkPicture({ file: picture, target, ...thumbnailSize });
  return target;
}

/** From a file: where a video's index stands at the end, ffmpeg must seek. */
async function firstFrame(video: string): Promise<string> {
  const frame = `${video}.png`;
  const input = ['-protocol_whitelist', 'file', '-f', 'mov', '-i', video];
  const { ok, said } = await ffmpeg([...input, '-frames:v', '1', frame], AbortSignal.timeout(timeLimitMs));
  if (!ok) throw new Error(`ffmpeg could not take a frame: ${said.slice(-500)}`);
  return frame;
}
