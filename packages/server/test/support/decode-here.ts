import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPicture } from '../../src/engines/decoding/child/check-picture.ts';
import { decodingTasks } from '../../src/engines/decoding/child/decoding-runner.ts';
import type { DecodingPool } from '../../src/engines/decoding/child-decoder.ts';
import { engineBroke } from '../../src/engines/engine.ts';
import type { WorkOf } from '../../src/engines/pool/child-messages.ts';
import { AppError } from '../../src/errors.ts';
import type { Decoder } from '../../src/media/decoder.ts';
import { type ImageInfo, inspectImage } from '../../src/media/inspect-image.ts';

/** Decodes in this process, for tests of what is decoded. */
export const decodesHere: Decoder = {
  checkPicture: (bytes) => checkPicture({ bytes }),
  async inTurn(_, work) {
    const folder = await mkdtemp(join(tmpdir(), 'guise-decode-'));
    return work(decodingTasks, folder).finally(() => rm(folder, { recursive: true, force: true }));
  },
  forJob: () => decodingTasks,
  async close() {},
};

/**
 * Decodes in this process, for servers of tests: a process for each kind of picture of each server would take half a
 * second of processor time to start.
 */
export const poolHere: DecodingPool = {
  async doWork(work, { signal, progress }) {
    const { task } = work as WorkOf<'decode'>;
    const failed = (error: unknown) => {
      throw error instanceof AppError ? error : engineBroke('The engine failed.', error);
    };
    const result = await decodingTasks[task.name](task.asked as never, () => progress(1)).catch(failed);
    signal.throwIfAborted();
    return result as never;
  },
  async close() {},
};

export const inspectHere = (bytes: Buffer): Promise<ImageInfo> =>
  inspectImage(bytes, (picture) => checkPicture({ bytes: picture }));
