import { abortWith } from '../engines/abort.ts';
import { slotsOf } from '../engines/routing.ts';
import type { Claim } from '../store/queue.ts';
import { type RunParts, runJob } from './run-job.ts';

export interface Worker {
  /** Takes no more jobs, gives those running `graceMs` to end, then returns them to the queue. */
  stop(graceMs: number): Promise<void>;
  running(): number;
}

/** A job that waits for a retry is looked for at its time, and everything at least this often. */
const lookMs = 1000;

/** When there is much to take, this many are on their way: a shared database is far, and busy with others. */
const takesAtOnce = 4;

/**
 * Takes what its engines can do, as much as they take on at once. `refused` are families that no engine makes and
 * that nobody else will take: their jobs are taken too, to be told so.
 */
export function startWorker(parts: RunParts, concurrency: number, refused: readonly string[] = []): Worker {
  const places = [...slotsOf(parts.engines, concurrency), { families: new Set(refused), slots: concurrency }];
  const running = new Map<Promise<void>, string>();
  const free = () => {
    const busy = [...running.values()];
    return places
      .map(({ families, slots }) => ({
        families,
        room: slots - busy.filter((name) => families.has(name)).length,
      }))
      .filter(({ room }) => room > 0);
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
  /** Starts what it gets, and tells whether that was as many as it asked for. */
  const takeSome = async (names: readonly string[], count: number) => {
    const takes = await Promise.allSettled(Array.from({ length: count }, () => parts.queue.claim(names)));
    const claims = takes.flatMap((take) => (take.status === 'fulfilled' && take.value ? [take.value] : []));
    for (const claim of claims) start(claim);
    for (const take of takes) if (take.status === 'rejected') throw take.reason;
    return claims.length === count;
  };
  const takeAll = async () => {
    do {
      again = false;
      for (let count = 1; !stopping; count = Math.min(count * 2, takesAtOnce)) {
        const open = free();
        if (open.length === 0) break;
        const names = [...new Set(open.flatMap(({ families }) => [...families]))].sort();
        const room = Math.min(...open.map((place) => place.room));
        if (!(await takeSome(names, Math.min(count, room)))) break;
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

  const unfollow = parts.queue.onEnqueued(fill);
  const timer = setInterval(fill, lookMs);
  fill();

  return {
    running: () => running.size,
    async stop(graceMs) {
      stopping = true;
      unfollow();
      clearInterval(timer);
      await filling;
      const grace = setTimeout(() => abortWith(shutdown, 'shutdown'), graceMs);
      await Promise.all(running.keys());
      clearTimeout(grace);
    },
  };
}
