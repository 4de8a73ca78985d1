import type { Logger } from 'pino';
import { isNamedByFilter, isTemplateNeeded } from '../catalog/templates.ts';
import { eachAtOnce } from '../each-at-once.ts';
import { purgeTokens } from '../store/account-records.ts';
import { purgeSessions, purgeSignInLinks } from '../store/accounts/session-records.ts';
import { type Blobs, isBlobKey } from '../store/blobs.ts';
import type { Db } from '../store/db.ts';
import { purgeDeadLetters } from '../store/dead-letters.ts';
import { findOverlayByBlob } from '../store/events/event-overlay-records.ts';
import { purgeFailedRuns } from '../store/failed-run-records.ts';
import { purgeIdempotency } from '../store/idempotency-records.ts';
import { clearJobContent, findJobById, listExpiredJobs, purgeJobs } from '../store/job-records.ts';
import { findPhotoById } from '../store/qa/photo-set-records.ts';
import { purgeQuickTestRuns } from '../store/qa/quick-test-records.ts';
import { purgeTests } from '../store/render-records.ts';
import { keepUsageOfPurgedJobs, purgeFormerUsage } from '../store/reports/usage-records.ts';
import type { JobRow } from '../store/schema.ts';
import { purgeRates } from '../store/webhooks/delivery-rates.ts';
import { purgeDeliveries } from '../store/webhooks/delivery-records.ts';
import { purgeEndpoints } from '../store/webhooks/endpoint-records.ts';
import { purgeWorkers } from '../store/worker-records.ts';
import { createRowFailures, isolateRowFailure, type RowFailures } from './each-row.ts';
import { blobsOf } from './end.ts';
import { failedTimeWindowMs } from './failed-time.ts';
import { hasEnded } from './read.ts';
import { keysBesideResult } from './results/result-keys.ts';

interface Parts {
  db: Db;
  blobs: Blobs;
  log: Logger;
  failures: RowFailures;
}

/** An unnamed blob may belong to a request that is not done yet. */
export const youngMs = 3600_000;
/** How long an expired job is still answered with `JOB_EXPIRED`. */
const rememberedMs = 30 * 24 * 3600_000;
const dayMs = 24 * 3600_000;
/** How many days an account sees its usage, and a month more. */
const usageKeptDays = 400;
/** How long an account sees its webhook deliveries. */
const deliveriesKeptMs = 7 * dayMs;
const batch = 200;
/** What is removed at once: a bucket answers after 10 to 20 ms, a disk at once. */
const atOnce = 20;

/** Where blobs are. Those of live jobs come and go with them; of the others there may be millions. */
export const livePrefixes = ['inputs'];
export const lastingPrefixes = [
  'results',
  'thumbnails',
  'stills',
  'loops',
  'moments',
  'templates',
  'previews',
  'photos',
  'overlays',
  'scenes',
  'archives',
];

/** Removes what has had its time, and blobs that no row names. */
export async function sweep(swept: Omit<Parts, 'failures'>, now = swept.db.now()): Promise<void> {
  const parts = { ...swept, failures: createRowFailures(swept.log) };
  await sweepExpired(parts, now);
  await sweepUnnamed(parts, [...livePrefixes, ...lastingPrefixes], now);
}

export async function sweepExpired(parts: Parts, now = parts.db.now()): Promise<void> {
  // After the last of the batch, and not from the start: a job that cannot be emptied would come again and again.
  let after = { after_time: 0, after_id: '' };
  for (;;) {
    const jobs = await parts.db.all(listExpiredJobs, { now, ...after, limit: batch });
    await eachAtOnce(jobs, atOnce, (job) =>
      isolateRowFailure(parts.failures, { task: 'expired jobs', id: job.id }, () => empty(parts, job)),
    );
    if (jobs.length > 0) await parts.db.scrub();
    if (jobs.length < batch) break;
    const last = jobs.at(-1)!;
    after = { after_time: last.expires_at, after_id: last.id };
  }
  await purgeOld(parts, now);
}

async function purgeOld({ db, failures }: Parts, now: number): Promise<void> {
  const purges = {
    jobs: () =>
      db.transaction(async (tx) => {
        await tx.run(keepUsageOfPurgedJobs, { before: now - rememberedMs });
        await tx.run(purgeJobs, { before: now - rememberedMs });
      }),
    former_usage: () => db.run(purgeFormerUsage, { before: Math.floor(now / dayMs) - usageKeptDays }),
    dead_letters: () => db.run(purgeDeadLetters, { before: now - rememberedMs }),
    idempotency: () => db.run(purgeIdempotency, { now }),
    workers: () => db.run(purgeWorkers, { before: now - dayMs }),
    tokens: () => db.run(purgeTokens, { before: now - dayMs }),
    sessions: () => db.run(purgeSessions, { now }),
    sign_in_links: () => db.run(purgeSignInLinks, { before: now - rememberedMs }),
    renders: () => db.run(purgeTests, {}),
    deliveries: () => db.run(purgeDeliveries, { before: now - deliveriesKeptMs }),
    endpoints: () => db.run(purgeEndpoints, { before: now - rememberedMs }),
    rates: () => db.run(purgeRates, {}),
    quick_test_runs: () => db.run(purgeQuickTestRuns, { before: now - rememberedMs }),
    failed_runs: () => db.run(purgeFailedRuns, { window_ms: failedTimeWindowMs }),
  };
  for (const [table, purge] of Object.entries(purges))
    await isolateRowFailure(failures, { task: 'retention', id: table }, purge);
}

async function empty(parts: Parts, job: JobRow): Promise<void> {
  await Promise.all(blobsOf(job).map((key) => parts.blobs.remove(key)));
  await parts.db.run(clearJobContent, { id: job.id });
}

export async function sweepUnnamed(
  parts: Parts,
  prefixes: readonly string[],
  now = parts.db.now(),
): Promise<void> {
  for (const prefix of prefixes) {
    let old: string[] = [];
    for await (const { key, modified } of parts.blobs.list(prefix)) {
      // A file that somebody else put there is not ours to remove.
      if (modified < now - youngMs && isBlobKey(key)) old.push(key);
      if (old.length < batch) continue;
      await removeAllUnnamed(parts, old);
      old = [];
    }
    await removeAllUnnamed(parts, old);
  }
}

function removeAllUnnamed(parts: Parts, keys: readonly string[]): Promise<void> {
  return eachAtOnce(keys, atOnce, (key) =>
    isolateRowFailure(parts.failures, { task: 'unnamed blobs', id: key }, () => removeUnnamed(parts, key)),
  );
}

async function removeUnnamed(parts: Parts, key: string): Promise<void> {
  if (await isNamed(parts.db, key)) return;
  await parts.blobs.remove(key);
  parts.log.info({ blob: key }, 'removed a blob that nothing names');
}

/** Keys begin with the UUID of the job, filter or photo they belong to. */
async function isNamed(db: Db, key: string): Promise<boolean> {
  const [kind] = key.split('/');
  const id = key.slice(key.lastIndexOf('/') + 1).slice(0, 36);
  if (kind === 'inputs') {
    const job = await db.one(findJobById, { id });
    return job !== undefined && !hasEnded(job);
  }
  if (kind === 'results') return (await db.one(findJobById, { id }))?.result_key === key;
  if (kind === 'thumbnails' || kind === 'stills' || kind === 'loops') {
    const job = await db.one(findJobById, { id });
    return job !== undefined && keysBesideResult(job).includes(key);
  }
  if (kind === 'moments') return (await db.one(findJobById, { id })) !== undefined;
  if (kind === 'archives') return false;
  if (kind === 'overlays') return (await db.one(findOverlayByBlob, { blob_key: key })) !== undefined;
  if (kind === 'templates' || kind === 'scenes') return isTemplateNeeded(db, key);
  if (kind === 'photos') return (await db.one(findPhotoById, { id })) !== undefined;
  return isNamedByFilter(db, key);
}
