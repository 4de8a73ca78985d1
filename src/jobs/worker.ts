import type { Claim } from '../store/queue.ts';
import { families } from './families.ts';
import { type RunParts, runJob } from './run.ts';

export interface Worker {
  /** Takes no more jobs, gives those running `graceMs` to end, then returns them to the queue. */
  stop(graceMs: number): Promise<void>;
  running(): number;
}

/** A job that waits for a retry is looked for at its time, and everything at least this often. */
const lookMs = 1000;

/** Takes jobs of the families `names` and does them. */
export function startWorker(
  parts: RunParts,
  concurrency: number,
  names: readonly string[] = families.map((family) => family.name),
): Worker {
  const shutdown = new AbortController();
  const runs = new Set<Promise<void>>();
  let stopping = false;
  let filling: Promise<void> | null = null;
  let again = false;

  const start = (claim: Claim) => {
    const run = runJob(parts, claim, shutdown.signal)
      .catch((error) => parts.log.error({ err: error, job: claim.job.id }, 'a job could not be ended'))
      .finally(() => {
        runs.delete(run);
        fill();
      });
    runs.add(run);
  };
  const takeAll = async () => {
    do {
      again = false;
      while (!stopping && runs.size < concurrency) {
        const claim = await parts.queue.take(names);
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
    running: () => runs.size,
    async stop(graceMs) {
      stopping = true;
      unfollow();
      clearInterval(timer);
      await filling;
      const grace = setTimeout(() => shutdown.abort('shutdown'), graceMs);
      await Promise.all(runs);
      clearTimeout(grace);
    },
  };
}
