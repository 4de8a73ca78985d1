import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPicture } from '../../src/engines/decoding/child/check-picture.ts';
import { decodingTasks } from '../../src/engines/decoding/child/decoding-runner.ts';
import { engineBroke } from '../../src/engines/engine.ts';
import type { ChildWork } from '../../src/engines/pool/child-messages.ts';
import type { WorkPool } from '../../src/engines/pool/child-pool.ts';
import type { Runner } from '../../src/engines/pool/runner.ts';
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
 * Decodes, checks and prints in this process, for servers of tests: processes of each server's own would take half a
 * second of processor time each to start, and those that look for faces two.
 */
export const poolHere: WorkPool = {
  async doWork(work, { signal, progress }) {
    const failed = (error: unknown) => {
      throw error instanceof AppError ? error : engineBroke('The engine failed.', error);
    };
    const result = await workHere(work, () => progress(1)).catch(failed);
    signal.throwIfAborted();
    return result as never;
  },
  async close() {},
};

/** Loaded for the first task: most tests have none. */
let runner: Promise<Runner> | undefined;
const pictureTasks = () => {
  runner ??= import('../../src/engines/picture-tasks/picture-task-runner.ts').then(({ createRunner }) =>
    createRunner({}),
  );
  return runner;
};

async function workHere(work: ChildWork, onWritten: () => void): Promise<unknown> {
  if (work.type === 'picture-task') return (await pictureTasks()).doPictureTask!(work.task);
  if (work.type === 'decode') return decodingTasks[work.task.name](work.task.asked as never, onWritten);
  throw new Error(`there is no ${work.type} here`);
}

export const inspectHere = (bytes: Buffer): Promise<ImageInfo> =>
  inspectImage(bytes, (picture) => checkPicture({ bytes: picture }));
