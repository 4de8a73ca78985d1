import { AsyncLocalStorage } from 'node:async_hooks';

/** A process of the installation, the database server, the bucket, or the people outside. */
export interface SimulatedProcess {
  readonly name: string;
  state: 'up' | 'paused' | 'dead';
  /** How far its wall clock is from the true time. */
  clockOffsetMs: number;
  /** Simulated time of its start: its monotonic clock counts from here. */
  readonly startedAt: number;
  /** What came due while it was paused, in order. */
  held: Entry[];
  /** What others do when it dies, such as noticing that a connection is gone. */
  onDeath: Set<() => void>;
}

interface Entry {
  at: number;
  order: number;
  process: SimulatedProcess;
  run: () => void;
  cancelled: boolean;
}

/** Something that happens later, unless it is cancelled. */
export type Scheduled = Pick<Entry, 'cancelled'>;

/** When simulated time begins. */
export const epochMs = Date.UTC(2026, 0, 1);

const running = new AsyncLocalStorage<SimulatedProcess>();
const realImmediate = setImmediate;
const immediatesAtOnce = 64;

/**
 * Simulated time. What is scheduled happens in order, one entry at a time, and the next one begins when everything that
 * the last one set off has come to wait for the simulation again. Between two entries no time passes for anybody.
 */
export class Scheduler {
  /** Simulated milliseconds since the beginning. */
  now = 0;
  readonly #queue = new EntryHeap();
  #order = 0;
  readonly #outside = this.start('outside');

  start(name: string): SimulatedProcess {
    return { name, state: 'up', clockOffsetMs: 0, startedAt: this.now, held: [], onDeath: new Set() };
  }

  /** The process whose code runs now. */
  get current(): SimulatedProcess {
    return running.getStore() ?? this.#outside;
  }

  /** Runs code as a process would: its clock, its timers, and dead with it. */
  runAs<T>(process: SimulatedProcess, work: () => T): T {
    return running.run(process, work);
  }

  schedule(ms: number, run: () => void, process = this.current): Scheduled {
    const entry = { at: this.now + ms, order: this.#order++, process, run, cancelled: false };
    this.#queue.push(entry);
    return entry;
  }

  /** A promise of the running process, which never comes if that dies. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.schedule(ms, resolve));
  }

  pause(process: SimulatedProcess): void {
    if (process.state === 'up') process.state = 'paused';
  }

  resume(process: SimulatedProcess): void {
    if (process.state !== 'paused') return;
    process.state = 'up';
    for (const entry of process.held.splice(0)) {
      entry.at = this.now;
      entry.order = this.#order++;
      this.#queue.push(entry);
    }
  }

  kill(process: SimulatedProcess): void {
    if (process.state === 'dead') return;
    process.state = 'dead';
    process.held = [];
    for (const tell of process.onDeath) tell();
  }

  /** Goes on until the condition holds or simulated time reaches `until`. Says whether the condition held. */
  advance(until: number, isDone: () => boolean = () => false): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>();
    let queued = 0;
    let isOver = false;
    // After each real immediate Node runs every microtask and `process.nextTick` that it set off: when the next one
    // comes, all code waits for something that is scheduled. Many at once cost fewer turns of the event loop.
    const refill = () => {
      for (; queued < immediatesAtOnce; queued++) realImmediate(step);
    };
    const step = () => {
      queued--;
      try {
        if (!isOver && this.#runNext(until, isDone)) {
          isOver = true;
          resolve(isDone());
        }
      } catch (error) {
        isOver = true;
        reject(error);
      }
      if (queued === 0 && !isOver) refill();
    };
    refill();
    return promise;
  }

  /** Runs the next entry that is left to run. True when there is nothing to run for now. */
  #runNext(until: number, isDone: () => boolean): boolean {
    if (isDone()) return true;
    for (;;) {
      const entry = this.#queue.peek();
      if (!entry || entry.at > until) {
        this.now = Math.max(this.now, until);
        return true;
      }
      this.#queue.pop();
      if (entry.cancelled || entry.process.state === 'dead') continue;
      this.now = Math.max(this.now, entry.at);
      if (entry.process.state === 'paused') {
        entry.process.held.push(entry);
        continue;
      }
      running.run(entry.process, entry.run);
      return false;
    }
  }

  /** The whole installation sleeps: time passes, and nobody's timers run before its end. */
  leap(ms: number): void {
    this.now += ms;
  }
}

/** The earliest entry first; of entries of one time, the one that was scheduled first. */
class EntryHeap {
  readonly #entries: Entry[] = [];

  peek(): Entry | undefined {
    return this.#entries[0];
  }

  push(entry: Entry): void {
    const heap = this.#entries;
    let at = heap.push(entry) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(entry, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = entry;
  }

  pop(): Entry | undefined {
    const heap = this.#entries;
    const first = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (!isBefore(heap[child]!, last)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);
