import type { Db } from '../store/db.ts';
import { countJobs } from '../store/job-records.ts';

/** Counting takes as long as many wait, so one count serves for this long. */
const countEveryMs = 1000;

/** How many jobs wait, and whether more may. */
export interface Backlog {
  /** Whether as many jobs wait as may. Never says so without having just counted. */
  isFull(): Promise<boolean>;
}

export function createBacklog(db: Db, limit: number): Backlog {
  /** How many may wait at most: those of the last count, and all that were accepted here since. */
  let waiting = limit;
  let countedAt = 0;
  return {
    async isFull() {
      if (performance.now() - countedAt < countEveryMs && waiting < limit) {
        waiting++;
        return false;
      }
      const { count } = (await db.one(countJobs, { state: 'queued' }))!;
      waiting = count + 1;
      countedAt = performance.now();
      return count >= limit;
    },
  };
}
