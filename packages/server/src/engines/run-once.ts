import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FamilyName, familyOf } from '@guise/contract/families/families.ts';
import { parseRequest } from '@guise/contract/families/requests.ts';
import type { FilterDefinition } from '@guise/contract/filters.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { createDecoder } from './decoding/child-decoder.ts';
import type { Engine, EngineAttempt, EngineRequest, EngineResult } from './engine.ts';

/** What an operator has made on the command line, outside of the queue. */
export interface SingleRun {
  id: string;
  family: FamilyName;
  params: object;
  filter: { ref: string; definition: FilterDefinition } | null;
  /** Paths. */
  photos: readonly string[];
}

/** What came of it, while its files are there. */
export interface MadeOnce {
  result: EngineResult;
  attempts: readonly EngineAttempt[];
}

/** What all attempts took together; null where no server tells. */
export interface Spent {
  /** How long servers were at work. */
  gpu_seconds: number | null;
  cost_usd: number | null;
}

export function spentOn({ attempts }: Pick<MadeOnce, 'attempts'>): Spent {
  const sum = (values: (number | undefined)[]) => {
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
  };
  return {
    gpu_seconds: sum(attempts.map(({ gpuSeconds }) => gpuSeconds)),
    cost_usd: sum(attempts.map(({ cost }) => cost)),
  };
}

/** Runs a request on the engine that `choose` gives for it, within the time limit of its family. */
export async function runOnce<T>(
  config: Config,
  { id, family, params, filter, photos }: SingleRun,
  { choose, signal, progress }: RunOnceOptions,
  use: (made: MadeOnce) => Promise<T>,
): Promise<T> {
  const scratch = await mkdtemp(join(tmpdir(), 'guise-once-'));
  const decoder = createDecoder({ scratchDir: scratch, limits: config });
  try {
    const images = photos.map((_, i) => join(scratch, `photo-${i}`));
    for (const [i, image] of images.entries()) await copyFile(photos[i]!, image);
    const request = {
      ...parseRequest(family, params, filter?.definition ?? null),
      filterRef: filter?.ref ?? null,
      jobId: id,
      images,
      scratch,
      via: [],
    };
    const limit = AbortSignal.any([signal, AbortSignal.timeout(familyOf(family).timeLimitMs)]);
    const attempts: EngineAttempt[] = [];
    const result = await choose(request).run(request, {
      signal: limit,
      progress,
      decoder: decoder.forJob(limit),
      handle: null,
      saveHandle: async () => {},
      attempted: (attempt) => void attempts.push(attempt),
    });
    return await use({ result, attempts });
  } finally {
    await decoder.close();
    await rm(scratch, { recursive: true, force: true });
  }
}

export interface RunOnceOptions {
  choose(request: EngineRequest): Engine;
  signal: AbortSignal;
  progress(done: number): void;
}

/** The sentence, and what the server said of it: the operator reads this, no guest. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'It took longer than a job of this family may.';
  const { cause } = error;
  return error instanceof AppError && cause instanceof Error
    ? `${error.message} (${cause.message})`
    : error.message;
}
