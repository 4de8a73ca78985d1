import { Worker } from 'node:worker_threads';
import type { ComparedFrames, Comparison, PeopleMasks, Relatedness } from './comparison.ts';
import type { ToComparer } from './comparison-thread.ts';

/** Compares two frames in a thread: cancelling ends it at once, and OpenCV's memory goes with it. */
export interface Comparer {
  relate(compared: ComparedFrames): Promise<Relatedness>;
  /** After `relate`. */
  compare(masks: PeopleMasks | null): Promise<Comparison>;
  close(): Promise<void>;
}

export function startComparer(signal: AbortSignal): Comparer {
  const thread = new Worker(new URL('./comparison-thread.ts', import.meta.url));
  let answer = Promise.withResolvers<unknown>();
  const fail = (error: Error) => {
    answer.reject(error);
    // Without a pending `ask`, the rejection would be an unhandled one.
    answer.promise.catch(() => {});
  };
  thread.on('message', (message) => answer.resolve(message));
  thread.once('error', fail);
  thread.once('exit', () => fail(new Error('the comparing thread ended')));
  const stop = () => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  const ask = async (message: ToComparer) => {
    signal.throwIfAborted();
    thread.postMessage(message);
    try {
      const heard = await answer.promise;
      answer = Promise.withResolvers();
      return heard;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  };
  return {
    relate: async (compared) => (await ask({ compared })) as Relatedness,
    compare: async (masks) => (await ask({ masks })) as Comparison,
    async close() {
      signal.removeEventListener('abort', stop);
      await thread.terminate();
    },
  };
}
