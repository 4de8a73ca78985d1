import type { JobWaiting } from '@guise/contract/jobs.ts';
import { canMake, type JobNeeds } from '../engines/routing.ts';
import type { Db } from '../store/db.ts';
import { nextQueuedOf } from '../store/job-records.ts';
import type { JobState } from '../store/schema.ts';
import { liveEngines } from './worker-registry.ts';

/**
 * What a job in the queue waits for; null for others. Accounts take turns, so what begins next has waited about as long as
 * the next job of an account without a backlog will.
 */
export async function readWaiting(db: Db, job: JobNeeds & { state: JobState }): Promise<JobWaiting | null> {
  if (job.state !== 'queued') return null;
  const isMade = (await liveEngines(db)).some((engine) => canMake(engine, job));
  if (!isMade) return { needs: 'engine', expected_seconds: null };
  const next = await db.one(nextQueuedOf, { family: job.family });
  const waitedMs = next ? Math.max(0, db.now() - next.run_after) : 0;
  return { needs: 'slot', expected_seconds: Math.ceil(waitedMs / 1000) };
}
