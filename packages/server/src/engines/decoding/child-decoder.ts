import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Admission, createGate } from '../../admission/admission.ts';
import type { Gate } from '../../admission/gate.ts';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import type { Decoder, DecodingCaller, FileTasks, JobTasks } from '../../media/decoder.ts';
import { invalidImage } from '../../media/image-errors.ts';
import { engineBroke } from '../engine.ts';
import { childPool, type WorkPool } from '../pool/child-pool.ts';
import type { Asked, Decoded, DecodingTask, TaskName } from './decoding-tasks.ts';
import { sandbox } from './sandbox.ts';

export interface DecoderOptions {
  /** Every file that is decoded, and every one that is made of it, is below this folder. */
  scratchDir: string;
  limits: Pick<Config, 'engineSilenceMs'>;
  /** Where accounts take turns; gates of its own where it serves no callers. */
  admission?: Pick<Admission, Kind['row']>;
  /** Decodes instead of processes of its own. */
  pool?: WorkPool | undefined;
}

/**
 * As many processes of each kind as its row lets work at once, which stand back behind those that make pictures. Small
 * pictures are checked when they come in, 13 ms for one of a camera and 110 ms for the worst, so those do not wait for a
 * photo of 25 megapixels, which takes 1 to 3 s.
 */
const kinds = {
  checks: { row: 'picture_checks', timeLimitMs: 10_000, niceness: 5 },
  files: { row: 'pictures', timeLimitMs: 30_000, niceness: 10 },
  jobs: { row: 'job_pictures', timeLimitMs: 60_000, niceness: 0 },
} as const;

const mb = 2 ** 20;
/** 25 megapixels of four channels and 16 bits are 200 MB, which turning and flattening copy. */
const memory = { memory: 256 * mb, memoryAtMost: 1024 * mb };
/** A process is ended that was not needed for so long: each holds 110 MB, and takes 0.3 s to start. */
const idleMs = 10 * 60_000;

/** Pictures are decoded in processes without secrets, which start when they are needed. */
export function createDecoder({ scratchDir, limits, admission, pool }: DecoderOptions): Decoder {
  let isolation: readonly string[] | undefined;
  const isolate = () => {
    isolation ??= sandbox(scratchDir);
    return isolation;
  };
  const open = (name: keyof typeof kinds) => {
    const { row, timeLimitMs, niceness } = kinds[name];
    const gate = admission?.[row] ?? createGate(row);
    const place = { isolate, tempDir: scratchDir, silenceMs: limits.engineSilenceMs, niceness };
    return openKind(gate, timeLimitMs, pool ?? startPool(gate.limits.atOnce, place));
  };
  const [checks, files, jobs] = [open('checks'), open('files'), open('jobs')];
  const fileTasksOf = ({ signal }: DecodingCaller): FileTasks => {
    const ask = <Name extends keyof FileTasks>(name: Name, asked: Asked<Name>): Promise<Decoded<Name>> =>
      files.ask(name, asked, { signal }).catch(publicFailure);
    return {
      encodePhoto: (asked) => ask('encodePhoto', asked),
      shrinkPicture: (asked) => ask('shrinkPicture', asked),
      convertPicture: (asked) => ask('convertPicture', asked),
      takeShots: (asked) => ask('takeShots', asked),
    };
  };
  return {
    checkPicture: (bytes, { accountId, signal }) =>
      checks.takeTurn({ accountId, signal }, async () => {
        // A copy: the bytes may lie in a buffer that grows and shrinks, which cannot be sent.
        await checks.ask('checkPicture', { bytes: Buffer.from(bytes) }, { signal }).catch(publicFailure);
      }),
    inTurn: (asked, work) =>
      files.takeTurn(asked, async () => {
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
  niceness: number;
}

interface OpenKind extends Pick<WorkPool, 'close'> {
  takeTurn<T>(asked: DecodingCaller, work: () => Promise<T>): Promise<T>;
  ask<Name extends TaskName>(name: Name, asked: Asked<Name>, asking: Asking): Promise<Decoded<Name>>;
}

function startPool(size: number, { silenceMs, ...place }: ChildPlace): WorkPool {
  const module = new URL('./child/decoding-runner.ts', import.meta.url);
  return childPool({ module, size, limits: { ...memory, silenceMs }, ...place, idleMs });
}

function openKind(gate: Gate, timeLimitMs: number, pool: WorkPool): OpenKind {
  return {
    takeTurn: ({ accountId, signal }, work) => gate.run(accountId, work, signal && { signal }),
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
function jobTasks({ takeTurn, ask }: OpenKind, signal: AbortSignal): JobTasks {
  const doTask = <Name extends keyof JobTasks>(name: Name, asked: Asked<Name>, onWritten?: () => void) =>
    takeTurn({ accountId: '', signal }, () => ask(name, asked, { signal, onWritten })).catch((error) => {
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
  if (isKnown && (error.code === 'INVALID_IMAGE' || error.code === 'INVALID_VIDEO')) throw error;
  if (isKnown && !error.retryable) throw invalidImage('The image takes too much memory to decode.', error);
  if (!isKnown && !isTimeout(error)) throw error;
  throw new AppError('OVERLOADED', 'The picture could not be worked on now. Retry after 2 s.', {
    headers: { 'retry-after': '2' },
    cause: error,
  });
}
