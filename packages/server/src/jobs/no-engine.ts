import { familyNames } from '@guise/contract/families/families.ts';
import { noEngine } from '../engines/routing.ts';
import { listQueuedBefore } from '../store/job-records.ts';
import { createRowFailures, isolateRowFailure } from './each-row.ts';
import { type EndParts, fail } from './end.ts';
import { readWorkers } from './worker-registry.ts';

/** Workers may be restarted one after the other, and so be missing for a while. */
const timeLimitMs = 5 * 60_000;
const batch = 100;

/**
 * Every job ends: those of families that no live worker makes are failed with a sentence and their credits returned.
 * While there is no worker at all, jobs wait: somebody is about to start one.
 */
export async function failJobsWithoutEngine(
  parts: EndParts,
  now = parts.db.now(),
  failures = createRowFailures(parts.log),
): Promise<number> {
  const workers = await readWorkers(parts.db, now);
  if (workers.length === 0) return 0;
  const served = new Set(
    workers.flatMap(({ engines }) => engines.flatMap(({ abilities }) => abilities.map((a) => a.family))),
  );
  let failed = 0;
  for (const family of familyNames.filter((name) => !served.has(name))) {
    const jobs = await parts.db.all(listQueuedBefore, { family, before: now - timeLimitMs, limit: batch });
    for (const job of jobs)
      await isolateRowFailure(failures, { task: 'no engine', id: job.id }, async () => {
        if (!(await fail(parts, { job, token: job.claim }, noEngine().message))) return;
        parts.log.info({ job: job.id, family }, 'job failed');
        failed++;
      });
  }
  return failed;
}
