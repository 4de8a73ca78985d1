import { familyNames } from '@guise/contract/families/families.ts';
import { abortWith } from '../engines/abort.ts';
import { type SlotGroup, slotsOf } from '../engines/routing.ts';
import type { Claim, Claimable, Queue } from '../store/queue.ts';
import { startPollLoop } from './poll-loop.ts';
import { type RunParts, runJob } from './run-job.ts';

/** Work that is no job and has a slot while no job waits for it. */
export interface SpareWork {
  /** The next one that engines of these families do, claimed; undefined when there is none. */
  claim(families: readonly string[]): Promise<ClaimedWork | undefined>;
  /** Calls back when there may be something to claim. Returns the function that unsubscribes. */
  onEnqueued(listener: () => void): () => void;
}

export interface ClaimedWork {
  family: string;
  /** Never throws. */
  run(shutdown: AbortSignal): Promise<void>;
}

export interface Worker {
  /** Claims no more jobs, gives those running `graceMs` to end, then returns them to the queue; spare work at once. */
  stop(graceMs: number): Promise<void>;
  running(): number;
}

/** A job that waits for a retry is claimed at its time, and the queue is polled at least this often. */
const pollIntervalMs = 1000;

/** With much to do, so many claims are under way: a shared database is far, and busy with others. */
const claimsAtOnce = 4;

/**
 * Claims what its engines can do, as much as they take on at once. A worker that is alone also claims what none of them
 * makes, to fail it with a sentence. Spare work is done one at a time: a job that comes later waits for one of them at
 * most.
 */
export function startWorker(parts: RunParts, concurrency: number, spareWork?: SpareWork): Worker {
  const slots = createSlots(parts, concurrency);
  const shutdown = new AbortController();
  const spareShutdown = new AbortController();
  let stopping = false;
  let doesSpareWork = false;

  const start = (claim: Claim) => {
    const run = runJob(parts, claim, shutdown.signal).catch((error) =>
      parts.log.error({ err: error, job: claim.job.id }, 'a job could not be ended'),
    );
    slots.occupy(claim.job.family, run, loop.poll);
  };
  const claimAll = async () => {
    for (let count = 1; !stopping; count = Math.min(count * 2, claimsAtOnce)) {
      const open = slots.open();
      if (open.length === 0) break;
      const wanted = Math.min(count, ...open.map(({ free }) => free));
      if (!(await claimSome(parts.queue, slots.claimable(open), wanted, start))) break;
    }
    await claimSpareWork();
  };
  const claimSpareWork = async () => {
    if (!spareWork || doesSpareWork || stopping) return;
    const work = await spareWork.claim(familiesOf(slots.open()));
    if (!work) return;
    doesSpareWork = true;
    const run = work.run(spareShutdown.signal).finally(() => {
      doesSpareWork = false;
    });
    slots.occupy(work.family, run, loop.poll);
  };
  const loop = startPollLoop(pollIntervalMs, claimAll, (error) =>
    parts.log.error({ err: error }, 'the queue could not be read'),
  );
  const unsubscribe = parts.queue.onEnqueued(loop.poll);
  const unsubscribeSpareWork = spareWork?.onEnqueued(loop.poll);

  return {
    running: slots.count,
    async stop(graceMs) {
      stopping = true;
      unsubscribe();
      unsubscribeSpareWork?.();
      await loop.stop();
      abortWith(spareShutdown, 'shutdown');
      const grace = setTimeout(() => abortWith(shutdown, 'shutdown'), graceMs);
      await slots.allFree();
      clearTimeout(grace);
    },
  };
}

interface OpenSlots extends SlotGroup {
  free: number;
}

interface Slots {
  /** Those that are free now. */
  open(): OpenSlots[];
  /** What may be claimed for them. */
  claimable(open: readonly SlotGroup[]): Claimable[];
  /** Takes a slot of the family until the work has ended. */
  occupy(family: string, work: Promise<void>, onFree: () => void): void;
  count(): number;
  /** Waits for all that runs now. */
  allFree(): Promise<unknown>;
}

function createSlots({ engines, isAlone }: RunParts, concurrency: number): Slots {
  const made = slotsOf(engines, concurrency);
  const groups = [...made, ...(isAlone ? [unmadeFamilies(made, concurrency)] : [])].filter(
    ({ families }) => families.size > 0,
  );
  const running = new Map<Promise<void>, string>();
  return {
    open() {
      const busy = [...running.values()];
      return groups
        .map((group) => ({
          ...group,
          free: group.slots - busy.filter((name) => group.families.has(name)).length,
        }))
        .filter(({ free }) => free > 0);
    },
    claimable: (open) =>
      isAlone ? familiesOf(open).map((family) => ({ family })) : open.flatMap(({ abilities }) => abilities),
    occupy(family, work, onFree) {
      const run = work.finally(() => {
        running.delete(run);
        onFree();
      });
      running.set(run, family);
    },
    count: () => running.size,
    allFree: () => Promise.all(running.keys()),
  };
}

/** Starts what it gets, and tells whether that was as many as it asked for. */
async function claimSome(
  queue: Queue,
  claimable: readonly Claimable[],
  count: number,
  start: (claim: Claim) => void,
): Promise<boolean> {
  const claims = await Promise.allSettled(Array.from({ length: count }, () => queue.claim(claimable)));
  const claimed = claims.flatMap((claim) =>
    claim.status === 'fulfilled' && claim.value ? [claim.value] : [],
  );
  for (const claim of claimed) start(claim);
  for (const claim of claims) if (claim.status === 'rejected') throw claim.reason;
  return claimed.length === count;
}

/** Slots for jobs of the families that no engine makes. */
function unmadeFamilies(made: readonly SlotGroup[], slots: number): SlotGroup {
  const unmade = familyNames.filter((name) => !made.some(({ families }) => families.has(name)));
  return { families: new Set(unmade), abilities: [], slots };
}

const familiesOf = (groups: readonly Pick<SlotGroup, 'families'>[]) =>
  [...new Set(groups.flatMap(({ families }) => [...families]))].sort();
