import {
  type ClaimLimits,
  type DueTimes,
  dueTimes,
  expiredClaims,
  heartbeat,
  nextQueuedJob,
  release,
  workerName,
} from '../claims.ts';
import type { Db } from '../db.ts';
import { leaseMs, type Queue } from '../queue.ts';
import type { JobRow } from '../schema.ts';
import { type Statement, statement } from '../statement.ts';

/**
 * The jobs table is the queue: a row in state `queued` is its entry, so nothing can be in one and not the other.
 * `perAccount` is how many jobs of an account may run at once; 0 is no limit.
 */
export function localQueue(db: Db, perAccount = 0): Queue {
  const listeners = new Set<() => void>();
  const worker = workerName();
  const statements = new Map<string, Statement<ClaimParams, JobRow>>();

  return {
    async enqueue() {
      // Listeners are called after the transaction that this is part of has ended.
      setImmediate(() => {
        for (const listener of listeners) listener();
      });
    },
    async claim(families) {
      if (families.length === 0) return undefined;
      const key = families.join();
      const claimNext = statements.get(key) ?? claimNextOf({ families, perAccount });
      statements.set(key, claimNext);
      const now = db.now();
      const job = await db.one(claimNext, { ...dueTimes(now), lease_until: now + leaseMs, worker });
      return job && { job, token: job.claim };
    },
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

interface ClaimParams extends DueTimes {
  lease_until: number;
  worker: string;
}

const claimNextOf = (limits: ClaimLimits) =>
  statement((db, p: ClaimParams) =>
    db
      .updateTable('jobs')
      .set((eb) => ({
        state: 'running',
        claim: eb('claim', '+', eb.lit(1)),
        lease_until: p.lease_until,
        started_at: p.now,
        worker: p.worker,
      }))
      .where('id', '=', nextQueuedJob(db, p, limits).select('id'))
      .returningAll(),
  );
