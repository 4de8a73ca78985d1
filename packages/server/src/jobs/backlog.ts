import type { Db } from '../store/db.ts';
import { countJobs } from '../store/job-records.ts';

/** Counting takes as long as many wait, so one count serves for this long. */
const countEveryMs = 1000;

interface Backlog {
  /** How many may wait at most: those of the last count, and all that were accepted here since. */
  waiting: number;
  countedAt: number;
}
const backlogs = new WeakMap<Db, Backlog>();

/** Whether as many jobs wait as may. Never says so without having just counted. */
export async function isFull(db: Db, limit: number): Promise<boolean> {
  const known = backlogs.get(db);
  if (known && Date.now() - known.countedAt < countEveryMs && known.waiting < limit) {
    known.waiting++;
    return false;
  }
  const { count } = (await db.one(countJobs, { state: 'queued' }))!;
  backlogs.set(db, { waiting: count + 1, countedAt: Date.now() });
  return count >= limit;
}
