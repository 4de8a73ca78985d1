import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { Decoder, DecodingCaller, FileTasks, JobTasks } from '../../media/decoder.ts';
import { invalidImage } from '../../media/image-errors.ts';
import { limitByOwner } from '../../media/limit-concurrency.ts';
import { engineBroke } from '../engine.ts';
import { type ChildPool, childPool } from '../pool/child-pool.ts';
import type { Asked, Decoded, DecodingTask, TaskName } from './decoding-tasks.ts';
import { sandbox } from './sandbox.ts';

/** Lets owners take turns, each with its work in the order in which it came. */
type TakeTurns = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

export interface DecoderOptions {
  /** Every file that is decoded, and every one that is made of it, is below this folder. */
  scratchDir: string;
  limits: Pick<Config, 'engineSilenceMs'>;
}

/**
 * How many processes there are of each kind. Small pictures are checked when they come in, 13 ms for one of a camera and
 * 110 ms for the worst, so those do not wait for a photo of 25 megapixels, which takes 1 to 3 s. One account never has all
 * processes of the first two kinds.
 */
const kinds = {
  checks: { atOnce: 3, ofAccount: 2, timeLimitMs: 10_000 },
  files: { atOnce: 2, ofAccount: 1, timeLimitMs: 30_000 },
  jobs: { atOnce: Math.max(2, availableParallelism()), ofAccount: Infinity, timeLimitMs: 60_000 },
} as const;

const mb = 2 ** 20;
/** 25 megapixels of four channels and 16 bits are 200 MB, which turning and flattening copy. */
const memory = { memory: 256 * mb, memoryAtMost: 1024 * mb };
/** A process is ended that was not needed for so long: each holds 110 MB, and takes 0.3 s to start. */
const idleMs = 10 * 60_000;

/** Pictures are decoded in processes without secrets, which start when they are needed. */
export function createDecoder({ scratchDir, limits }: DecoderOptions): Decoder {
  let isolation: readonly string[] | undefined;
  const isolate = () => {
    isolation ??= sandbox(scratchDir);
    return isolation;
  };
  const open = (kind: keyof typeof kinds) =>
    openKind(kinds[kind], { isolate, tempDir: scratchDir, silenceMs: limits.engineSilenceMs });
  const [checks, files, jobs] = [open('checks'), open('files'), open('jobs')];
  const fileTasksOf = ({ signal }: DecodingCaller): FileTasks => {
    const ask = <Name extends keyof FileTasks>(name: Name, asked: Asked<Name>): Promise<Decoded<Name>> =>
      files.ask(name, asked, { signal }).catch(publicFailure);
    return {
      encodePhoto: (asked) => ask('encodePhoto', asked),
      shrinkPicture: (asked) => ask('shrinkPicture', asked),
      convertPicture: (asked) => ask('convertPicture', asked),
    };
  };
  return {
    checkPicture: (bytes, { accountId, signal }) =>
      checks.takeTurns(accountId, async () => {
        signal?.throwIfAborted();
        // A copy: the bytes may lie in a buffer that grows and shrinks, which cannot be sent.
        await checks.ask('checkPicture', { bytes: Buffer.from(bytes) }, { signal }).catch(publicFailure);
      }),
    inTurn: (asked, work) =>
      files.takeTurns(asked.accountId, async () => {
        asked.signal?.throwIfAborted();
        const folder = await mkdtemp(join(scratchDir, 'decode-'));
        try {
          return await work(fileTasksOf(asked), folder);
        } finally {
          // What cannot be removed now, as a file that Windows still has open, goes with the scratch folder.
          await rm(folder, { recursive: true, force: true }).catch(() => {});
        }
      }),
    forJob: (signal) => jobTasks(jobs, signal),
    async close() {
      await Promise.all([checks.close(), files.close(), jobs.close()]);
    },
  };
}

type Kind = (typeof kinds)[keyof typeof kinds];

interface Asking {
  signal?: AbortSignal | undefined;
  onWritten?: (() => void) | undefined;
}

interface ChildPlace {
  isolate: () => readonly string[];
  tempDir: string;
  silenceMs: number;
}

interface OpenKind extends Pick<ChildPool, 'close'> {
  takeTurns: TakeTurns;
  ask<Name extends TaskName>(name: Name, asked: Asked<Name>, asking: Asking): Promise<Decoded<Name>>;
}

function openKind({ atOnce, ofAccount, timeLimitMs }: Kind, place: ChildPlace): OpenKind {
  const pool = childPool({
    module: new URL('./child/decoding-runner.ts', import.meta.url),
    size: atOnce,
    limits: { ...memory, silenceMs: place.silenceMs },
    isolate: place.isolate,
    tempDir: place.tempDir,
    idleMs,
  });
  return {
    takeTurns: limitByOwner(atOnce, ofAccount),
    async ask<Name extends TaskName>(name: Name, asked: Asked<Name>, { signal, onWritten }: Asking) {
      const timeLimit = AbortSignal.timeout(timeLimitMs);
      const context = {
        signal: signal ? AbortSignal.any([signal, timeLimit]) : timeLimit,
        progress: () => onWritten?.(),
        saveHandle: async () => {},
      };
      const task = { name, asked } as DecodingTask;
      return (await pool.doWork({ type: 'decode', task }, context)) as Decoded<Name>;
    },
    close: pool.close,
  };
}

/** Jobs have had their turns, so they only wait until a process is free. */
function jobTasks({ takeTurns, ask }: OpenKind, signal: AbortSignal): JobTasks {
  const doTask = <Name extends keyof JobTasks>(name: Name, asked: Asked<Name>, onWritten?: () => void) =>
    takeTurns('', () => ask(name, asked, { signal, onWritten })).catch((error) => {
      signal.throwIfAborted();
      throw isTimeout(error) ? engineBroke('Decoding the picture took too long.', error) : error;
    });
  return {
    photoToSend: (asked) => doTask('photoToSend', asked),
    cutFace: (asked) => doTask('cutFace', asked),
    layIntoFrame: (asked) => doTask('layIntoFrame', asked),
    finishPicture: (asked, onWritten) => doTask('finishPicture', asked, onWritten),
    measureAnimation: (asked) => doTask('measureAnimation', asked),
    decodeFrames: (asked) => doTask('decodeFrames', asked),
  };
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

/** What took too much memory will do so again; what took too long or broke off may be the machine's fault. */
function publicFailure(error: unknown): never {
  const isKnown = error instanceof AppError;
  if (isKnown && error.code === 'INVALID_IMAGE') throw error;
  if (isKnown && !error.retryable) throw invalidImage('The image takes too much memory to decode.', error);
  if (!isKnown && !isTimeout(error)) throw error;
  throw new AppError('OVERLOADED', 'The picture could not be worked on now. Retry after 2 s.', {
    headers: { 'retry-after': '2' },
    cause: error,
  });
}
