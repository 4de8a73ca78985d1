import type { Queries } from './db.ts';
import type { JobRow } from './schema.ts';

/** The right to run a job until the lease ends. `token` is in the `where` of everything its holder writes. */
export interface Claim {
  job: JobRow;
  token: number;
}

/** What a queue has to know of a job that waits. */
export type QueueEntry = Pick<JobRow, 'id' | 'account_id' | 'family' | 'turn' | 'run_after'>;

/**
 * Why a job goes back to the queue: a `retry` after a failed attempt and a `loss` of its worker are counted in the
 * job's row, a `handover` to another worker is not.
 */
export type RequeueReason = 'retry' | 'loss' | 'handover';

/** What a worker makes of a family: all of it, or only what every list given here allows. */
export interface Claimable {
  family: string;
  /** Kinds of filter. */
  kinds?: readonly string[];
  /** Kinds of filter that it does not make. */
  exceptKinds?: readonly string[];
  /** Filters as callers name them. */
  filters?: readonly string[];
  /** Video models. */
  models?: readonly string[];
  /** Numbers of photos. */
  photos?: readonly number[];
  /** Whether photos go to a company: then jobs whose photos stay are not for it. */
  photosLeave?: boolean;
  /** The share of the jobs, from 0 to 1, by the last digits of their ids. */
  share?: number;
}

/** Which worker runs which job. `enqueue`, `complete` and `requeue` are part of the caller's transaction. */
export interface Queue {
  enqueue(tx: Queries, entry: QueueEntry): Promise<void>;
  /** The next job of what may be claimed, claimed; undefined when there is none. */
  claim(claimable: readonly Claimable[]): Promise<Claim | undefined>;
  /** Renews the lease and stores the progress; false when the claim is lost. */
  heartbeat(claim: Claim, progress: number): Promise<boolean>;
  /** Removes the job, which has ended, from the queue. */
  complete(tx: Queries, claim: Claim): Promise<void>;
  /** Gives the job back, not to be claimed before `runAfter`; false when the claim is lost. */
  requeue(tx: Queries, claim: Claim, runAfter: number, reason: RequeueReason): Promise<boolean>;
  /** Claims whose lease ended at or before `now`: their workers are gone. */
  expired(now: number): Promise<Claim[]>;
  /** Calls back when there may be something to claim. Returns the function that unsubscribes. */
  onEnqueued(listener: () => void): () => void;
}

/**
 * The furthest that a job is put off: a retry waits five seconds at most. A time further ahead was written before a clock
 * was set back, and means nothing any more: whatever the clock's error, it holds a job up for two minutes at most.
 */
export const furthestRunAfterMs = 120_000;
