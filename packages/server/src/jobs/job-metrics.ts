import type { FamilyName } from '@guise/contract/families/families.ts';

/** How a worker's run of a job ended. Those that were stopped are cancelled, or taken over by another worker. */
export type RunOutcome = 'completed' | 'failed' | 'requeued' | 'stopped';

/** What is measured of jobs. */
export interface JobMetrics {
  /** A worker has claimed a job that had been due for so long. */
  claimed(family: FamilyName, waitedMs: number): void;
  ended(family: FamilyName, outcome: RunOutcome, ranMs: number): void;
  /** A server of an engine has made a job, or not. */
  attempted(attempt: MeasuredAttempt): void;
}

export interface MeasuredAttempt {
  engine: string;
  server: string;
  made: boolean;
  gpuSeconds: number | undefined;
  /** In US dollars. */
  cost: number | undefined;
  likeness: number | undefined;
}

/** For processes that nobody asks for their metrics. */
export const noJobMetrics: JobMetrics = { claimed: () => {}, ended: () => {}, attempted: () => {} };
