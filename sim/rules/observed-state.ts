import type { JobInsert } from './change-log.ts';

/** A job as its commits told of it. */
export interface ObservedJob extends JobInsert {
  state: string;
  /** The fencing token. */
  claim: number;
  worker: string | null;
  acceptedAt: number;
  /** When it was last claimed; null before that. */
  claimedAt: number | null;
  endedAt: number | null;
  /** Its ledger entries, summed. */
  net: number;
  isGone: boolean;
}

/** What all commits so far came to. */
export interface ObservedState {
  jobs: Map<string, ObservedJob>;
  /** How many of them have not ended. */
  unended: number;
  accounts: Map<string, { balance: number; entries: number }>;
}

export const hasEnded = (state: string) => state === 'completed' || state === 'failed';
