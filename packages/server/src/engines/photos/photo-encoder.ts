import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Size } from '@guise/contract/families/canvas.ts';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { invalidImage } from '../../media/image-errors.ts';
import { limitByOwner } from '../../media/limit-concurrency.ts';
import type { ImageBytes } from '../../media/upload.ts';
import { childPool, nothingToTell } from '../pool/child-pool.ts';

/** A photo that is kept: upright, without any metadata of the camera, and small enough to be shown in a grid. */
export interface EncodedPhoto extends Size {
  jpeg: Buffer;
  /** WebP. */
  thumbnail: Buffer;
}

/** A photo to encode, and whose it is. */
export interface PhotoToEncode {
  bytes: ImageBytes;
  accountId: string;
  /** Aborts when the caller hangs up: a photo that still waits for its turn is left out. */
  signal: AbortSignal;
}

/** Encodes photos that were inspected. `INVALID_IMAGE` where decoding shows that one is damaged. */
export interface PhotoEncoder {
  encode(photo: PhotoToEncode): Promise<EncodedPhoto>;
  close(): Promise<void>;
}

/**
 * A JPEG of 25 megapixels takes 1.2 s of CPU, a PNG of 16 bits and as many pixels 3 s and 0.5 GB. One account has one
 * of the two processes, so that nobody waits for all photos of another.
 */
const [atOnce, atOnceOfAccount] = [2, 1];
const timeLimitMs = 30_000;
const mb = 2 ** 20;
/** 25 megapixels of four channels and 16 bits are 200 MB, which turning and flattening copy. */
const memory = { memory: 256 * mb, memoryAtMost: 1024 * mb };

/** Photos are decoded in processes without secrets, which start when the first one comes. */
export function createPhotoEncoder(
  scratchDir: string,
  { engineSilenceMs }: Pick<Config, 'engineSilenceMs'>,
): PhotoEncoder {
  const limit = limitByOwner(atOnce, atOnceOfAccount);
  const pool = childPool({
    module: new URL('./photo-runner.ts', import.meta.url),
    size: atOnce,
    limits: { ...memory, silenceMs: engineSilenceMs },
  });
  const encode = async (bytes: ImageBytes, folder: string): Promise<EncodedPhoto> => {
    const [photo, jpeg, thumbnail] = ['photo', 'jpeg', 'webp'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(photo, bytes);
    const signal = AbortSignal.timeout(timeLimitMs);
    const work = { type: 'encode-photo', files: { photo, jpeg, thumbnail } } as const;
    const size = await pool.doWork(work, { signal, ...nothingToTell }).catch(publicFailure);
    return { jpeg: await readFile(jpeg), thumbnail: await readFile(thumbnail), ...size };
  };
  return {
    encode: ({ bytes, accountId, signal }) =>
      limit(accountId, async () => {
        signal.throwIfAborted();
        const folder = join(scratchDir, `photo-${randomUUID()}`);
        await mkdir(folder, { recursive: true });
        try {
          return await encode(bytes, folder);
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }),
    close: pool.close,
  };
}

/** What took too much memory will do so again; what took too long or broke off may be the machine's fault. */
function publicFailure(error: unknown): never {
  const isKnown = error instanceof AppError;
  if (isKnown && error.code === 'INVALID_IMAGE') throw error;
  if (isKnown && !error.retryable) throw invalidImage('The image takes too much memory to decode.', error);
  if (!isKnown && !(error instanceof DOMException && error.name === 'TimeoutError')) throw error;
  throw new AppError('OVERLOADED', 'The picture could not be worked on now. Retry after 2 s.', {
    headers: { 'retry-after': '2' },
    cause: error,
  });
}
