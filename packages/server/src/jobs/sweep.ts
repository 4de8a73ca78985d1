import type { Logger } from 'pino';
import type { Blobs } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { purgeDeadLetters } from '../store/dead-letters.ts';
import { purgeRates } from '../store/delivery-rates.ts';
import { purgeDeliveries } from '../store/delivery-records.ts';
import { purgeEndpoints } from '../store/endpoint-records.ts';
import { purgeFailedRuns } from '../store/failed-run-records.ts';
import { findCustomFilterById } from '../store/filter-records.ts';
import { purgeIdempotency } from '../store/idempotency-records.ts';
import { clearJobContent, findJobById, listExpiredJobs, purgeJobs } from '../store/job-records.ts';
import { purgeRenders } from '../store/render-records.ts';
import type { JobRow } from '../store/schema.ts';
import { purgeWorkers } from '../store/worker-records.ts';
import { blobsOf } from './end.ts';
import { failedTimeWindowMs } from './failed-time.ts';
import { hasEnded } from './read.ts';

interface Parts {
  db: Db;
  blobs: Blobs;
  log: Logger;
}

/** An unnamed blob may belong to a request that is not done yet. */
const youngMs = 3600_000;
/** How long an expired job is still answered with `JOB_EXPIRED`. */
const rememberedMs = 30 * 24 * 3600_000;
const dayMs = 24 * 3600_000;
/** How long an account sees its webhook deliveries. */
const deliveriesKeptMs = 7 * dayMs;
const batch = 200;
/** What is removed at once: a bucket answers after 10 to 20 ms, a disk at once. */
const atOnce = 20;

/** Where blobs are. Those of live jobs come and go with them; of the others there may be millions. */
export const livePrefixes = ['inputs'];
export const lastingPrefixes = ['results', 'templates', 'previews'];

/** Removes what has had its time, and blobs that no row names. */
export async function sweep(parts: Parts, now = Date.now()): Promise<void> {
  await sweepExpired(parts, now);
  await sweepUnnamed(parts, [...livePrefixes, ...lastingPrefixes], now);
}

export async function sweepExpired(parts: Parts, now = Date.now()): Promise<void> {
  for (;;) {
    const jobs = await parts.db.all(listExpiredJobs, { now, limit: batch });
    await forEach(jobs, (job) => empty(parts, job));
    if (jobs.length > 0) await parts.db.scrub();
    if (jobs.length < batch) break;
  }
  await parts.db.run(purgeJobs, { before: now - rememberedMs });
  await parts.db.run(purgeDeadLetters, { before: now - rememberedMs });
  await parts.db.run(purgeIdempotency, { now });
  await parts.db.run(purgeWorkers, { before: now - dayMs });
  await parts.db.run(purgeRenders, { before: now - dayMs });
  await parts.db.run(purgeDeliveries, { before: now - deliveriesKeptMs });
  await parts.db.run(purgeEndpoints, { before: now - rememberedMs });
  await parts.db.run(purgeRates, {});
  await parts.db.run(purgeFailedRuns, { window_ms: failedTimeWindowMs });
}

async function empty(parts: Parts, job: JobRow): Promise<void> {
  await Promise.all(blobsOf(job).map((key) => parts.blobs.remove(key)));
  await parts.db.run(clearJobContent, { id: job.id });
}

export async function sweepUnnamed(
  parts: Parts,
  prefixes: readonly string[],
  now = Date.now(),
): Promise<void> {
  for (const prefix of prefixes) {
    let old: string[] = [];
    for await (const blob of parts.blobs.list(prefix)) {
      if (blob.modified < now - youngMs) old.push(blob.key);
      if (old.length < batch) continue;
      await forEach(old, (key) => removeUnnamed(parts, key));
      old = [];
    }
    await forEach(old, (key) => removeUnnamed(parts, key));
  }
}

async function removeUnnamed(parts: Parts, key: string): Promise<void> {
  if (await isNamed(parts.db, key)) return;
  await parts.blobs.remove(key);
  parts.log.info({ blob: key }, 'removed a blob that nothing names');
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

async function forEach<T>(things: readonly T[], work: (thing: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < things.length; at += atOnce) {
    await Promise.all(things.slice(at, at + atOnce).map(work));
  }
}
