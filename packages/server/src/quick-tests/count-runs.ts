import type { Queries } from '../store/db.ts';
import { countRun, insertQuickTestRun, returnRun, uncountRun } from '../store/qa/quick-test-records.ts';

/** Counts a job as a run of a link, in the transaction that accepts the job. False when the link has none left. */
export async function countQuickTestRun(
  tx: Queries,
  linkId: string,
  jobId: string,
  now: number,
): Promise<boolean> {
  if ((await tx.run(countRun, { id: linkId, now })) === 0) return false;
  await tx.run(insertQuickTestRun, { job_id: jobId, link_id: linkId, counted: 1, created_at: now });
  return true;
}

/** Gives the run of a failed job back to its link, once. Most jobs are nobody's quick test: then nothing changes. */
export async function returnQuickTestRun(tx: Queries, jobId: string): Promise<void> {
  const run = await tx.one(uncountRun, { job_id: jobId });
  if (run) await tx.run(returnRun, { id: run.link_id });
}
