import { setTimeout as sleep } from 'node:timers/promises';
import { isStorageAway } from '../store/storage-unavailable.ts';

/** The first wait and the longest one between two tries. */
const firstWaitMs = 250;
const longestWaitMs = 5000;

/**
 * What a run has made is not made again because the storage was away for a while: the call is repeated until it succeeds,
 * fails for another reason, or the run is told to stop. Then it fails with what the storage said last.
 */
export async function retryWhileStorageIsAway<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      return await call();
    } catch (error) {
      if (!isStorageAway(error)) throw error;
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}
