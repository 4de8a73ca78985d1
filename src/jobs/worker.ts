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

/** When there is much to take, this many are on their way: a shared database is far, and busy with others. */
const takesAtOnce = 4;

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
  /** Starts what it gets, and tells whether that was as many as it asked for. */
  const takeSome = async (count: number) => {
    const takes = await Promise.allSettled(Array.from({ length: count }, () => parts.queue.take(names)));
    const claims = takes.flatMap((take) => (take.status === 'fulfilled' && take.value ? [take.value] : []));
    for (const claim of claims) start(claim);
    for (const take of takes) if (take.status === 'rejected') throw take.reason;
    return claims.length === count;
  };
  const takeAll = async () => {
    do {
      again = false;
      for (let count = 1; !stopping && runs.size < concurrency; count = Math.min(count * 2, takesAtOnce)) {
        if (!(await takeSome(Math.min(count, concurrency - runs.size)))) break;
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
