import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { ffmpeg } from '../engines/workflow/run-ffmpeg.ts';
import { AppError } from '../errors.ts';
import { openResult } from '../jobs/results/read-result.ts';
import { jobIdOf, resultKeysOf } from '../jobs/results/result-keys.ts';
import { withScratchFolder } from '../jobs/scratch.ts';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findJobById } from '../store/job-records.ts';

/** Small pictures of results, made when they are first asked for: most results are fetched by a booth and never listed. */
export interface Thumbnails {
  /** Makes the thumbnail with this key unless it is there already; false when there is no result to make it of. */
  ensure(key: string): Promise<boolean>;
}

interface Parts {
  db: Db;
  blobs: Blobs;
  /** A folder for the videos that frames are taken from. */
  scratchDir: string;
  log: Logger;
}

/** The longer side in pixels. */
const side = 384;
/** Made at once, and waiting to be made. Each takes a thread of the pool, or a process for a video, for 20 to 200 ms. */
const atOnce = 2;
const mostWaiting = 400;
const timeLimitMs = 20_000;

const tooMany = () =>
  new AppError('OVERLOADED', 'Too many thumbnails are being made. Retry after 2 s.', {
    headers: { 'retry-after': '2' },
  });

export function createThumbnails(parts: Parts): Thumbnails {
  const making = new Map<string, Promise<boolean>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  const acquire = async () => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw tooMany();
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
  };
  /** Hands the place to whoever waits. */
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  const make = async (key: string) => {
    await acquire();
    try {
      return await makeThumbnail(parts, key);
    } finally {
      release();
    }
  };

  return {
    async ensure(key) {
      const existing = await parts.blobs.open(key);
      await existing?.close();
      if (existing) return true;
      const begun = making.get(key) ?? make(key).finally(() => making.delete(key));
      making.set(key, begun);
      return begun;
    },
  };
}

async function makeThumbnail(parts: Parts, key: string): Promise<boolean> {
  const resultKey = (await parts.db.one(findJobById, { id: jobIdOf(key) }))?.result_key;
  if (!resultKey || !resultKeysOf(key).includes(resultKey)) return false;
  const result = await openResult(parts.blobs, resultKey);
  if (!result) return false;
  try {
    const picture = resultKey.endsWith('.mp4') ? await firstFrame(parts, result) : await buffer(result);
    await parts.blobs.put(key, await shrink(picture));
  } catch (error) {
    parts.log.warn({ err: error, blob: resultKey }, 'no thumbnail could be made');
    return false;
  }
  // Erased or expired meanwhile: whoever did that found no thumbnail to remove.
  if ((await parts.db.one(findJobById, { id: jobIdOf(key) }))?.result_key === resultKey) return true;
  await parts.blobs.remove(key);
  return false;
}

/** On a thread of the pool. */
async function shrink(picture: Buffer | string): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  return sharp(picture)
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer();
}

/** A video is copied into a file first: where its index stands at the end, ffmpeg must seek. */
async function firstFrame({ scratchDir }: Parts, video: Readable): Promise<Buffer> {
  return withScratchFolder(scratchDir, async (folder) => {
    const [from, to] = [join(folder, 'video.mp4'), join(folder, 'frame.png')];
    await writeFile(from, video);
    const { ok, said } = await ffmpeg(['-i', from, '-frames:v', '1', to], AbortSignal.timeout(timeLimitMs));
    if (!ok) throw new Error(`ffmpeg could not take a frame: ${said.slice(-500)}`);
    return shrink(to);
  });
}
