import { abortWith } from '../engines/abort.ts';
import { slotsOf } from '../engines/routing.ts';
import type { Claim } from '../store/queue.ts';
import { type RunParts, runJob } from './run-job.ts';

export interface Worker {
  /** Claims no more jobs, gives those running `graceMs` to end, then returns them to the queue. */
  stop(graceMs: number): Promise<void>;
  running(): number;
}

/** A job that waits for a retry is claimed at its time, and the queue is polled at least this often. */
const pollIntervalMs = 1000;

/** With much to do, so many claims are under way: a shared database is far, and busy with others. */
const claimsAtOnce = 4;

/**
 * Claims what its engines can do, as much as they take on at once. `refused` are families that no engine makes and
 * that no other worker will claim: their jobs are claimed too, to be failed with a sentence.
 */
export function startWorker(parts: RunParts, concurrency: number, refused: readonly string[] = []): Worker {
  const groups = [
    ...slotsOf(parts.engines, concurrency),
    { families: new Set(refused), slots: concurrency },
  ].filter(({ families }) => families.size > 0);
  const running = new Map<Promise<void>, string>();
  const freeSlots = () => {
    const busy = [...running.values()];
    return groups
      .map(({ families, slots }) => ({
        families,
        free: slots - busy.filter((name) => families.has(name)).length,
      }))
      .filter(({ free }) => free > 0);
  };
  const shutdown = new AbortController();
  let stopping = false;
  let claiming: Promise<void> | null = null;
  let again = false;

  const start = (claim: Claim) => {
    const run = runJob(parts, claim, shutdown.signal)
      .catch((error) => parts.log.error({ err: error, job: claim.job.id }, 'a job could not be ended'))
      .finally(() => {
        running.delete(run);
        poll();
      });
    running.set(run, claim.job.family);
  };
  /** Starts what it gets, and tells whether that was as many as it asked for. */
  const claimSome = async (names: readonly string[], count: number) => {
    const claims = await Promise.allSettled(Array.from({ length: count }, () => parts.queue.claim(names)));
    const claimed = claims.flatMap((claim) =>
      claim.status === 'fulfilled' && claim.value ? [claim.value] : [],
    );
    for (const claim of claimed) start(claim);
    for (const claim of claims) if (claim.status === 'rejected') throw claim.reason;
    return claimed.length === count;
  };
  const claimAll = async () => {
    do {
      again = false;
      for (let count = 1; !stopping; count = Math.min(count * 2, claimsAtOnce)) {
        const open = freeSlots();
        if (open.length === 0) break;
        const names = [...new Set(open.flatMap(({ families }) => [...families]))].sort();
        const free = Math.min(...open.map((group) => group.free));
        if (!(await claimSome(names, Math.min(count, free)))) break;
      }
    } while (again);
  };
  const poll = () => {
    again = true;
    claiming ??= claimAll()
      .catch((error) => parts.log.error({ err: error }, 'the queue could not be read'))
      .finally(() => {
        claiming = null;
      });
  };

  const unsubscribe = parts.queue.onEnqueued(poll);
  const timer = setInterval(poll, pollIntervalMs);
  poll();

  return {
    running: () => running.size,
    async stop(graceMs) {
      stopping = true;
      unsubscribe();
      clearInterval(timer);
      await claiming;
      const grace = setTimeout(() => abortWith(shutdown, 'shutdown'), graceMs);
      await Promise.all(running.keys());
      clearTimeout(grace);
    },
  };
}
