import { families } from '@guise/contract/families.ts';
import { noEngine } from '../engines/routing.ts';
import { listQueuedBefore } from '../store/job-records.ts';
import { type EndParts, fail } from './end.ts';
import { readWorkers } from './worker-registry.ts';

/** Workers may be restarted one after the other, and so be missing for a while. */
const patienceMs = 5 * 60_000;
const batch = 100;

/**
 * Every job ends: those of families that no live worker makes are failed with a sentence and their credits returned.
 * While there is no worker at all, jobs wait: somebody is about to start one.
 */
export async function endUnmakeable(parts: EndParts, now = Date.now()): Promise<number> {
  const workers = await readWorkers(parts.db, now);
  if (workers.length === 0) return 0;
  const made = new Set(
    workers.flatMap(({ engines }) => engines.flatMap(({ abilities }) => abilities.map((a) => a.family))),
  );
  let ended = 0;
  for (const { name } of families.filter((family) => !made.has(family.name))) {
    const jobs = await parts.db.all(listQueuedBefore, {
      family: name,
      before: now - patienceMs,
      limit: batch,
    });
    for (const job of jobs) {
      if (await fail(parts, { job, token: job.claim }, noEngine().message)) ended++;
    }
  }
  return ended;
}
