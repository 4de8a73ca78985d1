import type { RunReport } from './run-scenario.ts';
import type { Shape } from './scenario.ts';

/** What a thread is asked for. */
export interface SeedRequest {
  seed: number;
  shape: Shape;
  /** The ids of the actions and faults that are played; null for all. */
  only: readonly string[] | null;
  /** Whether the timeline is wanted even if no rule is broken. */
  wantsLines: boolean;
}

/** A run with what it took. */
export interface RunOutcome extends RunReport {
  seed: number;
  processorMs: number;
  /** The ids of its actions and faults. */
  parts: readonly string[];
}
