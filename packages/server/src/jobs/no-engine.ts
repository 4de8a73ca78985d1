import { findFamily } from '@guise/contract/families/families.ts';
import { canMake, noEngine } from '../engines/routing.ts';
import { listNeedsBefore, listQueuedBefore } from '../store/job-need-records.ts';
import { createRowFailures, isolateRowFailure } from './each-row.ts';
import { type EndParts, fail } from './end.ts';
import { readWorkers } from './worker-registry.ts';

/** Workers may be restarted one after the other, and so be missing for a while. */
const timeLimitMs = 5 * 60_000;
const batch = 100;

/**
 * Every job ends: one that no worker has made for so long is failed with a sentence and its credits returned. While there
 * is no worker at all, jobs wait: somebody is about to start one.
 */
export async function failJobsWithoutEngine(
  parts: EndParts,
  now = parts.db.now(),
  failures = createRowFailures(parts.log),
): Promise<number> {
  const before = now - timeLimitMs;
  const waiting = await parts.db.all(listNeedsBefore, { before });
  if (waiting.length === 0 || (await readWorkers(parts.db, now)).length === 0) return 0;
  const engines = (await readWorkers(parts.db, now, timeLimitMs)).flatMap((worker) => worker.engines);
  const unmade = waiting.filter(
    (needs) => findFamily(needs.family) && !engines.some((engine) => canMake(engine, needs)),
  );
  let failed = 0;
  for (const needs of unmade) {
    const jobs = await parts.db.all(listQueuedBefore, { ...needs, before, limit: batch });
    for (const job of jobs)
      await isolateRowFailure(failures, { task: 'no engine', id: job.id }, async () => {
        if (!(await fail(parts, { job, token: job.claim }, noEngine().message))) return;
        parts.log.info({ job: job.id, family: job.family }, 'job failed');
        failed++;
      });
  }
  return failed;
}
