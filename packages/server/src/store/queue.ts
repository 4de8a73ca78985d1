import type { Queries } from './db.ts';
import type { JobRow } from './schema.ts';

/** The right to work on a job until the lease ends. `token` is in the `where` of everything its holder writes. */
export interface Claim {
  job: JobRow;
  token: number;
}

/** What a queue has to know of a job that waits. */
export type QueueEntry = Pick<JobRow, 'id' | 'account_id' | 'family' | 'turn' | 'run_after'>;

/** Who works on what. `enqueue`, `done` and `putBack` are part of the caller's transaction. */
export interface Queue {
  enqueue(tx: Queries, job: QueueEntry): Promise<void>;
  /** The job of these families whose turn it is, claimed; undefined when there is none. */
  take(families: readonly string[]): Promise<Claim | undefined>;
  /** Renews the lease and shows the progress; false when the claim is lost. */
  beat(claim: Claim, progress: number): Promise<boolean>;
  /** Tells the queue that the job has ended. */
  done(tx: Queries, claim: Claim): Promise<void>;
  /** Gives the job back, not to be taken before `runAfter`; false when the claim is lost. */
  putBack(tx: Queries, claim: Claim, runAfter: number, why: 'retry' | 'loss' | 'shutdown'): Promise<boolean>;
  /** Claims whose lease ended at or before `now`: their workers are gone. */
  lost(now: number): Promise<Claim[]>;
  /** Calls back when there may be something to take. Returns the way to stop. */
  onWork(listener: () => void): () => void;
}

/** A worker that is silent for this long has lost its job. */
export const leaseMs = 30_000;
export const heartbeatMs = 10_000;
