import type { EngineResult } from '../engines/engine.ts';
import type { Queries } from '../store/db.ts';
import type { JobRow } from '../store/schema.ts';
import type { Spent } from './run-report.ts';

/** What happens at the end of a job for those that it was made for: an event, a quick test link. */
export interface JobHooks {
  /** How long the result is kept; `resultMs` is what the server says. */
  resultMsOf(db: Queries, job: JobRow, resultMs: number): Promise<number>;
  /** Part of the transaction that counts what servers took for the job in a run. */
  onSpent(tx: Queries, job: JobRow, spent: Spent): Promise<void>;
  /** Part of the transaction that completes the job. */
  onCompleted(tx: Queries, job: JobRow, now: number): Promise<void>;
  /** Part of the transaction that ends the job as failed: gives back what was counted. */
  onFailed(tx: Queries, job: JobRow): Promise<void>;
  /** Part of the transaction that erases the job. */
  onErased(tx: Queries, job: JobRow): Promise<void>;
}

/** For jobs that are made for nobody but their account. */
export const noJobHooks: JobHooks = {
  resultMsOf: async (_db, _job, resultMs) => resultMs,
  onSpent: async () => {},
  onCompleted: async () => {},
  onFailed: async () => {},
  onErased: async () => {},
};

/** Changes what an engine made before it is signed and stored, and notes that. */
export type FinishResult = (
  job: JobRow,
  made: EngineResult,
  run: { scratch: string; signal: AbortSignal },
) => Promise<EngineResult>;
