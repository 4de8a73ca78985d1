import { familyNames } from '@guise/contract/families/families.ts';
import { abortWith } from '../engines/abort.ts';
import { asIfResumed, isEnginePaused } from '../engines/paused-engines.ts';
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

/** However many jobs come, a piece of spare work is finished in this time. */
const spareWorkEveryMs = 5 * 60_000;

/**
 * Claims what its engines can do, as much as they take on at once. A worker that is alone also claims what none of them
 * makes, to fail it with a sentence. Spare work is done one at a time, and is stopped and handed back for a job that needs
 * its slot.
 */
export function startWorker(parts: RunParts, concurrency: number, spareWork?: SpareWork): Worker {
  const slots = createSlots(parts, concurrency);
  const shutdown = new AbortController();
  let stopping = false;
  /** Stops the spare work that is being done. */
  let spareStop: AbortController | null = null;
  let spareFinishedAt = performance.now();

  const start = (claim: Claim) => {
    const run = runJob(parts, claim, shutdown.signal).catch((error) =>
      parts.log.error({ err: error, job: claim.job.id }, 'a job could not be ended'),
    );
    slots.occupy(claim.job.family, run, { onFree: loop.poll });
    if (spareStop && slots.areExceeded()) abortWith(spareStop, 'shutdown');
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
    if (!spareWork || spareStop || stopping) return;
    const work = await spareWork.claim(familiesOf(slots.open()));
    if (!work) return;
    const stop = new AbortController();
    spareStop = stop;
    const run = work.run(stop.signal).finally(() => {
      spareStop = null;
      if (!stop.signal.aborted) spareFinishedAt = performance.now();
    });
    const givesWay = performance.now() - spareFinishedAt < spareWorkEveryMs;
    slots.occupy(work.family, run, { onFree: loop.poll, givesWay });
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
      if (spareStop) abortWith(spareStop, 'shutdown');
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
  /** Those that are free now, or held by work that gives way to a job. */
  open(): OpenSlots[];
  /** Whether more is being done than there are slots for. */
  areExceeded(): boolean;
  /** What may be claimed for them. */
  claimable(open: readonly SlotGroup[]): Claimable[];
  /** Takes a slot of the family until the work has ended. */
  occupy(family: string, work: Promise<void>, options: { onFree: () => void; givesWay?: boolean }): void;
  count(): number;
  /** Waits for all that runs now. */
  allFree(): Promise<unknown>;
}

function createSlots({ engines, isAlone }: RunParts, concurrency: number): Slots {
  const groupsNow = () => {
    // What a paused engine makes waits for it: it is not what none of them makes.
    const whole = slotsOf(engines.map(asIfResumed), concurrency);
    const unmade = isAlone ? [unmadeFamilies(whole, concurrency)] : [];
    return [...slotsOf(engines, concurrency), ...unmade].filter(({ families }) => families.size > 0);
  };
  const running = new Map<Promise<void>, { family: string; givesWay: boolean }>();
  const freeOf = (group: SlotGroup, work: readonly { family: string }[]) =>
    group.slots - work.filter(({ family }) => group.families.has(family)).length;
  return {
    open() {
      const staying = [...running.values()].filter(({ givesWay }) => !givesWay);
      return groupsNow()
        .map((group) => ({ ...group, free: freeOf(group, staying) }))
        .filter(({ free }) => free > 0);
    },
    areExceeded: () => groupsNow().some((group) => freeOf(group, [...running.values()]) < 0),
    claimable: (open) =>
      isAlone && !engines.some(isEnginePaused)
        ? familiesOf(open).map((family) => ({ family }))
        : open.flatMap(({ abilities, families }): readonly Claimable[] =>
            abilities.length > 0 ? abilities : [...families].map((family) => ({ family })),
          ),
    occupy(family, work, { onFree, givesWay = false }) {
      const run = work.finally(() => {
        running.delete(run);
        onFree();
      });
      running.set(run, { family, givesWay });
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
