import { createClaimNext, expiredClaims, heartbeat, release } from '../claims.ts';
import type { Db } from '../db.ts';
import type { Queue } from '../queue.ts';

/**
 * The jobs table is the queue: a row in state `queued` is its entry, so nothing can be in one and not the other.
 * `perAccount` is how many jobs of an account may run at once; 0 is no limit.
 */
export function localQueue(db: Db, perAccount = 0): Queue {
  const listeners = new Set<() => void>();
  const claimNext = createClaimNext(perAccount);

  return {
    async enqueue() {
      // Listeners are called after the transaction that this is part of has ended.
      setImmediate(() => {
        for (const listener of listeners) listener();
      });
    },
    claim: (claimable) => claimNext(db, claimable),
    heartbeat: (claim, progress) => heartbeat(db, claim, progress),
    async complete() {},
    requeue: release,
    expired: (now) => expiredClaims(db, now),
    onEnqueued(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
