import { placesOf } from '../engines/routing.ts';
import type { Claim } from '../store/queue.ts';
import { type RunParts, runJob } from './run.ts';

export interface Worker {
  /** Takes no more jobs, gives those running `graceMs` to end, then returns them to the queue. */
  stop(graceMs: number): Promise<void>;
  running(): number;
}

/** A job that waits for a retry is looked for at its time, and everything at least this often. */
const lookMs = 1000;

/**
 * Takes what its engines can do, as much as they take on at once. `refused` are families that no engine makes and
 * that nobody else will take: their jobs are taken too, to be told so.
 */
export function startWorker(parts: RunParts, concurrency: number, refused: readonly string[] = []): Worker {
  const places = [
    ...placesOf(parts.engines, concurrency),
    { families: new Set(refused), slots: concurrency },
  ];
  const running = new Map<Promise<void>, string>();
  const takeable = () => {
    const names = [...running.values()];
    const free = places.filter(
      ({ families, slots }) => names.filter((name) => families.has(name)).length < slots,
    );
    return [...new Set(free.flatMap(({ families }) => [...families]))].sort();
  };
  const shutdown = new AbortController();
  let stopping = false;
  let filling: Promise<void> | null = null;
  let again = false;

  const start = (claim: Claim) => {
    const run = runJob(parts, claim, shutdown.signal)
      .catch((error) => parts.log.error({ err: error, job: claim.job.id }, 'a job could not be ended'))
      .finally(() => {
        running.delete(run);
        fill();
      });
    running.set(run, claim.job.family);
  };
  const takeAll = async () => {
    do {
      again = false;
      while (!stopping) {
        const names = takeable();
        const claim = names.length > 0 ? await parts.queue.take(names) : undefined;
        if (!claim) break;
        start(claim);
      }
    } while (again);
  };
  const fill = () => {
    again = true;
    filling ??= takeAll()
      .catch((error) => parts.log.error({ err: error }, 'the queue could not be read'))
      .finally(() => {
        filling = null;
      });
  };

  const unfollow = parts.queue.onWork(fill);
  const timer = setInterval(fill, lookMs);
  fill();

  return {
    running: () => running.size,
    async stop(graceMs) {
      stopping = true;
      unfollow();
      clearInterval(timer);
      await filling;
      const grace = setTimeout(() => shutdown.abort('shutdown'), graceMs);
      await Promise.all(running.keys());
      clearTimeout(grace);
    },
  };
}
