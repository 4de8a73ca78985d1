import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RunOutcome, SeedRequest } from './seed-messages.ts';

/** Threads that play scenarios. */
export interface SeedThreads {
  play(request: SeedRequest): Promise<RunOutcome>;
  /** Plays what it is given on all threads, in the order in which threads come free, until there is no more. */
  playAll(requests: Iterable<SeedRequest>, onEnd: (outcome: RunOutcome) => void): Promise<void>;
  close(): Promise<void>;
}

export function startSeedThreads(count: number): SeedThreads {
  const threads = Array.from(
    { length: count },
    () => new Worker(new URL('./seed-thread.ts', import.meta.url)),
  );
  const play = async (thread: Worker, request: SeedRequest): Promise<RunOutcome> => {
    thread.postMessage(request);
    const [outcome] = await once(thread, 'message');
    return outcome;
  };
  return {
    play: (request) => play(threads[0]!, request),
    async playAll(requests, onEnd) {
      const left = requests[Symbol.iterator]();
      await Promise.all(
        threads.map(async (thread) => {
          for (let next = left.next(); !next.done; next = left.next()) onEnd(await play(thread, next.value));
        }),
      );
    },
    async close() {
      await Promise.all(
        threads.map(async (thread) => {
          thread.postMessage('stop');
          await once(thread, 'exit');
        }),
      );
    },
  };
}
