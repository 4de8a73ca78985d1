import { Worker } from 'node:worker_threads';
import type { Compared, Comparison } from './comparison.ts';

/** Compares two frames in a thread: cancelling ends it at once, and OpenCV's memory goes with it. */
export interface Comparer {
  compare(compared: Compared): Promise<Comparison>;
  close(): Promise<void>;
}

export function startComparer(signal: AbortSignal): Comparer {
  const thread = new Worker(new URL('./comparison-thread.ts', import.meta.url));
  const done = Promise.withResolvers<Comparison>();
  // Told to whoever asks for the comparison; before that, nobody may be listening.
  done.promise.catch(() => {});
  thread.once('message', done.resolve);
  thread.once('error', done.reject);
  thread.once('exit', () => done.reject(new Error('the comparing thread ended')));
  const stop = () => void thread.terminate();
  signal.addEventListener('abort', stop, { once: true });
  return {
    async compare(compared) {
      thread.postMessage(compared);
      try {
        return await done.promise;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      }
    },
    async close() {
      signal.removeEventListener('abort', stop);
      await thread.terminate();
    },
  };
}
