import type { EngineSettings } from '@guise/engine/engine.ts';
import type { PictureTask, PictureTaskOf, PictureTaskResults } from '@guise/engine/picture-tasks.ts';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { engineBroke } from '../engine.ts';
import { modelCacheDir, operatorModelsDir } from '../local/local-engine.ts';
import { type ChildPool, childPool, nothingToTell } from '../pool/child-pool.ts';

/** Who asks: what one of them has waiting is bounded, so that others are not kept waiting for it. */
export interface TaskOwner {
  /** A key or a guest; null for the jobs of this server, which are bounded already. */
  owner: string | null;
  signal: AbortSignal;
}

/**
 * Work on single pictures beside jobs: photos checked, overlays laid over results, prints. Done in two child processes of its
 * own, which start when they are first needed: one checks photos, so that a guest who waits in front of the camera
 * waits neither for jobs nor for prints.
 */
export interface PictureTasks {
  doTask<Kind extends PictureTask['kind']>(
    task: PictureTaskOf<Kind>,
    asked: TaskOwner,
  ): Promise<PictureTaskResults[Kind]>;
  /** Starts what checks photos, because a booth is about to send some. */
  warmUp(): void;
  close(): Promise<void>;
}

/** Of one key or guest, and of all: each takes 0.1 to 0.4 s for a photo and up to a second for a print. */
const mostOfOwner = 4;
const mostOfAll = 16;
const timeLimitMs = 30_000;

const overloaded = (sentence: string, cause?: unknown) =>
  new AppError('OVERLOADED', `${sentence} Retry after 2 s.`, { headers: { 'retry-after': '2' }, cause });

export function createPictureTasks(
  config: Pick<Config, 'dataDir' | 'engineMemory' | 'engineSilenceMs'>,
): PictureTasks {
  const makePool = () =>
    childPool({
      module: new URL('./picture-task-runner.ts', import.meta.url),
      size: 1,
      settings: {
        modelsDir: operatorModelsDir(config),
        cacheDir: modelCacheDir(config),
      } satisfies EngineSettings,
      limits: {
        memory: config.engineMemory,
        memoryAtMost: 2 * config.engineMemory,
        silenceMs: config.engineSilenceMs,
      },
    });
  const [checks, others] = [boundedPool(makePool()), boundedPool(makePool())];
  return {
    async doTask<Kind extends PictureTask['kind']>(task: PictureTaskOf<Kind>, asked: TaskOwner) {
      const pool = task.kind === 'check-photo' ? checks : others;
      return (await pool.doTask(task, asked)) as PictureTaskResults[Kind];
    },
    warmUp: checks.warmUp,
    async close() {
      await Promise.all([checks.close(), others.close()]);
    },
  };
}

function boundedPool({ doWork, warmUp, close }: ChildPool) {
  const unfinished = new Map<string, number>();
  let total = 0;
  const count = (owner: string, by: number) => {
    total += by;
    const left = (unfinished.get(owner) ?? 0) + by;
    if (left === 0) unfinished.delete(owner);
    else unfinished.set(owner, left);
  };
  return {
    warmUp,
    close,
    async doTask(task: PictureTask, { owner, signal }: TaskOwner) {
      if (owner !== null && (total >= mostOfAll || (unfinished.get(owner) ?? 0) >= mostOfOwner))
        throw overloaded('Too many pictures are being worked on.');
      count(owner ?? '', 1);
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
        return await doWork({ type: 'picture-task', task }, { signal: limited, ...nothingToTell });
      } catch (error) {
        throw signal.aborted ? error : failureOf(error, owner);
      } finally {
        count(owner ?? '', -1);
      }
    },
  };
}

/** What may work on another try: a job is tried again by its queue, and callers are told to come back. */
function failureOf(error: unknown, owner: string | null): unknown {
  const isKnown = error instanceof AppError;
  const isPassing = isKnown
    ? error.retryable
    : error instanceof DOMException && error.name === 'TimeoutError';
  if (!isPassing) return error;
  if (owner !== null) return overloaded('The picture could not be worked on now.', error);
  return isKnown ? error : engineBroke('Laying the overlay over the picture took too long.', error);
}
