import { expiredLeases, nextInTurn, releaseClaim, renewClaim } from './claims.ts';
import type { Db } from './db.ts';
import { leaseMs, type Queue } from './queue.ts';
import type { JobRow } from './schema.ts';
import { type Statement, statement } from './statement.ts';

/**
 * The jobs table is the queue: a row in state `queued` is its entry, so nothing can be in one and not the other.
 * `perAccount` is how many jobs of an account may run at once; 0 is no limit.
 */
export function localQueue(db: Db, perAccount = 0): Queue {
  const listeners = new Set<() => void>();
  const takes = new Map<string, Statement<TakeParams, JobRow>>();

  return {
    async enqueue() {
      // The listeners look after the transaction that this is part of has ended.
      setImmediate(() => {
        for (const listener of listeners) listener();
      });
    },
    async take(families) {
      const key = families.join();
      const take = takes.get(key) ?? takeOf({ families, perAccount });
      takes.set(key, take);
      const now = Date.now();
      const job = await db.one(take, { now, lease_until: now + leaseMs });
      return job && { job, token: job.claim };
    },
    async beat(claim, progress) {
      const rows = await db.run(renewClaim, {
        id: claim.job.id,
        claim: claim.token,
        progress,
        lease_until: Date.now() + leaseMs,
      });
      return rows === 1;
    },
    async done() {},
    async putBack(tx, claim, runAfter, why) {
      const rows = await tx.run(releaseClaim, {
        id: claim.job.id,
        claim: claim.token,
        run_after: runAfter,
        retry: why === 'retry' ? 1 : 0,
        loss: why === 'loss' ? 1 : 0,
      });
      return rows === 1;
    },
    async lost(now) {
      const jobs = await db.all(expiredLeases, { now });
      return jobs.map((job) => ({ job, token: job.claim }));
    },
    onWork(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

interface TakeParams {
  now: number;
  lease_until: number;
}

const takeOf = (wanted: { families: readonly string[]; perAccount: number }) =>
  statement((db, p: TakeParams) =>
    db
      .updateTable('jobs')
      .set((eb) => ({
        state: 'running',
        claim: eb('claim', '+', eb.lit(1)),
        lease_until: p.lease_until,
        progress: 0,
      }))
      .where('id', '=', nextInTurn(db, p.now, wanted).select('id'))
      .returningAll(),
  );
