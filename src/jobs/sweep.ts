import type { Logger } from 'pino';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { findCustomFilterById } from '../store/filters.ts';
import { emptyJob, expiredJobs, findJobById, forgetIdempotency, forgetJobs } from '../store/jobs.ts';
import { blobsOf } from './end.ts';
import { hasEnded } from './read.ts';

/** An unnamed blob may belong to a request that is not done yet. */
const youngMs = 3600_000;
/** How long an expired job is still answered with `JOB_EXPIRED`. */
const rememberedMs = 30 * 24 * 3600_000;
const batch = 200;

/** Removes what has had its time, and blobs that no row names. */
export async function sweep(parts: { db: Db; blobs: Blobs; log: Logger }, now = Date.now()): Promise<void> {
  for (;;) {
    const jobs = await parts.db.all(expiredJobs, { now, limit: batch });
    for (const job of jobs) {
      await Promise.all(blobsOf(job).map((key) => parts.blobs.remove(key)));
      await parts.db.run(emptyJob, { id: job.id });
    }
    if (jobs.length > 0) await parts.db.scrub();
    if (jobs.length < batch) break;
  }
  await parts.db.run(forgetJobs, { before: now - rememberedMs });
  await parts.db.run(forgetIdempotency, { now });
  for (const prefix of ['inputs', 'results', 'templates', 'previews']) {
    for await (const blob of parts.blobs.list(prefix)) {
      if (blob.modified < now - youngMs && !(await isNamed(parts.db, blob.key))) {
        await parts.blobs.remove(blob.key);
        parts.log.info({ blob: blob.key }, 'removed a blob that nothing names');
      }
    }
  }
}

/** Keys begin with the UUID of the job or filter they belong to. */
async function isNamed(db: Db, key: string): Promise<boolean> {
  const [kind] = key.split('/');
  const id = key.slice(key.lastIndexOf('/') + 1).slice(0, 36);
  if (kind === 'inputs') {
    const job = await db.one(findJobById, { id });
    return job !== undefined && !hasEnded(job);
  }
  if (kind === 'results') return (await db.one(findJobById, { id }))?.result_key === key;
  const filter = await db.one(findCustomFilterById, { id });
  return filter !== undefined && `${filter.definition}${filter.previews}`.includes(key);
}
