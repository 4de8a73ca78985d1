import type { EngineSettings } from '@guise/engine/engine.ts';
import type { PictureTask, PictureTaskOf, PictureTaskResults } from '@guise/engine/picture-tasks.ts';
import type { Admission } from '../../admission/admission.ts';
import type { Gate } from '../../admission/gate.ts';
import type { Config } from '../../config.ts';
import { AppError } from '../../errors.ts';
import { engineBroke } from '../engine.ts';
import { modelCacheDir, operatorModelsDir } from '../local/local-engine.ts';
import { type ChildPool, childPool, nothingToTell, type WorkPool } from '../pool/child-pool.ts';

/** Who asks: accounts take turns, and so do the keys and guests of each. */
export interface TaskCaller {
  /** Null for the jobs of this server, which have had their turn. */
  accountId: string | null;
  /** A key or a guest. */
  part?: string;
  signal: AbortSignal;
}

/**
 * Work on single pictures beside jobs: photos checked, overlays laid over results, prints. Done in child processes of its
 * own, which start when they are first needed: some check photos, so that a guest who waits in front of the camera
 * waits neither for jobs nor for prints. A second one of each works where two accounts have something to do.
 */
export interface PictureTasks {
  doTask<Kind extends PictureTask['kind']>(
    task: PictureTaskOf<Kind>,
    asked: TaskCaller,
  ): Promise<PictureTaskResults[Kind]>;
  /** Starts what checks photos, because a booth is about to send some. */
  warmUp(): void;
  close(): Promise<void>;
}

const timeLimitMs = 30_000;
/** The second process of a kind holds 260 MB. */
const idleMs = 10 * 60_000;

const overloaded = (sentence: string, cause?: unknown) =>
  new AppError('OVERLOADED', `${sentence} Retry after 2 s.`, { headers: { 'retry-after': '2' }, cause });

type PoolConfig = Pick<Config, 'dataDir' | 'engineMemory' | 'engineSilenceMs'>;

/** With a pool, nothing is started here. */
export function createPictureTasks(
  config: PoolConfig,
  admission: Pick<Admission, 'photo_checks' | 'prints'>,
  pool?: WorkPool,
): PictureTasks {
  const open = (gate: Gate) => turnTakingPool(pool ?? startPool(config, gate), gate);
  const [checks, others] = [open(admission.photo_checks), open(admission.prints)];
  return {
    async doTask<Kind extends PictureTask['kind']>(task: PictureTaskOf<Kind>, asked: TaskCaller) {
      const pool = task.kind === 'check-photo' ? checks : others;
      return (await pool.doTask(task, asked)) as PictureTaskResults[Kind];
    },
    warmUp: checks.warmUp,
    async close() {
      await Promise.all([checks.close(), others.close()]);
    },
  };
}

function startPool(config: PoolConfig, { limits }: Gate): ChildPool {
  return childPool({
    module: new URL('./picture-task-runner.ts', import.meta.url),
    size: limits.atOnce,
    staying: 1,
    idleMs,
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
}

function turnTakingPool({ doWork, close, warmUp = () => {} }: WorkPool & Partial<ChildPool>, gate: Gate) {
  const work = async (task: PictureTask, { accountId, signal }: TaskCaller) => {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]);
    try {
      return await doWork({ type: 'picture-task', task }, { signal: limited, ...nothingToTell });
    } catch (error) {
      throw signal.aborted ? error : failureOf(error, accountId);
    }
  };
  return {
    warmUp,
    close,
    doTask(task: PictureTask, asked: TaskCaller) {
      // There are no more jobs than the worker has slots.
      if (asked.accountId === null) return work(task, asked);
      return gate.run(asked.accountId, () => work(task, asked), asked);
    },
  };
}

/** What may work on another try: a job is tried again by its queue, and callers are told to come back. */
function failureOf(error: unknown, accountId: string | null): unknown {
  const isKnown = error instanceof AppError;
  const isPassing = isKnown
    ? error.retryable
    : error instanceof DOMException && error.name === 'TimeoutError';
  if (!isPassing) return error;
  if (accountId !== null) return overloaded('The picture could not be worked on now.', error);
  return isKnown ? error : engineBroke('Laying the overlay over the picture took too long.', error);
}
