import type { Logger } from 'pino';
import { longestMailWaitMs } from '../events/mailing/mail-queue.ts';
import { longestPrintWaitMs } from '../events/printing/send-print.ts';
import type { RowFailures } from '../jobs/each-row.ts';
import type { EndParts } from '../jobs/end.ts';
import { failJobsWithoutEngine } from '../jobs/no-engine.ts';
import { requeueExpired } from '../jobs/requeue-expired.ts';
import { lastingPrefixes, livePrefixes, sweepExpired, sweepUnnamed, youngMs } from '../jobs/sweep.ts';
import { longestDelayMs } from '../jobs/webhooks/send-delivery.ts';
import { type ClockWatch, watchClock } from '../store/database-clock.ts';
import { mails } from '../store/events/mail-records.ts';
import { prints } from '../store/events/print-records.ts';
import { acquireMaintenanceLock } from '../store/maintenance-lock.ts';
import { releaseLostDeliveries, shortenDeliveryWaits } from '../store/webhooks/delivery-records.ts';

interface MaintenanceParts extends EndParts {
  shared: boolean;
  failures: RowFailures;
}

const requeueEveryMs = 5000;
const sweepEveryMs = 10 * 60_000;
const dayMs = 24 * 3600_000;

/** Requeues the jobs and deliveries of lost processes, and removes what has expired, at intervals. Any process may do it. */
export function startMaintenance(parts: MaintenanceParts): { stop(): void } {
  // While it was down, the machine's clock may have been set back.
  shortenWaits(parts).catch((error) => parts.log.error({ err: error }, 'maintenance failed'));
  const clock = watchClock();
  const timers = [
    every(requeueEveryMs, parts.log, () => {
      clock.undisturbedMs();
      return requeue(parts);
    }),
    every(sweepEveryMs, parts.log, () => sweep(parts, clock)),
  ];
  return {
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

async function requeue(parts: MaintenanceParts): Promise<void> {
  await requeueExpired(parts, parts.db.now(), parts.failures);
  await parts.db.run(releaseLostDeliveries, {});
  await parts.db.run(prints.releaseLost, {});
  await parts.db.run(mails.releaseLost, {});
  // An embedded server's own worker claims jobs of every family and fails those that it cannot make.
  if (parts.shared) await failJobsWithoutEngine(parts, parts.db.now(), parts.failures);
}

/** What waits for a time that a clock wrote before it was set back. */
export async function shortenWaits({ db }: Pick<MaintenanceParts, 'db'>): Promise<void> {
  await db.run(shortenDeliveryWaits, { longestWaitMs: longestDelayMs });
  await db.run(prints.shortenWaits, { longestWaitMs: longestPrintWaitMs });
  await db.run(mails.shortenWaits, { longestWaitMs: longestMailWaitMs });
}

/** In one process at a time. A bucket's results are too many to list every few minutes. */
async function sweep(parts: MaintenanceParts, clock: ClockWatch): Promise<void> {
  const sweepBlobs = async (prefixes: readonly string[]) => {
    const now = timeForBlobs(parts, clock);
    if (now !== null) await sweepUnnamed(parts, prefixes, now);
  };
  if (await acquireMaintenanceLock(parts.db, 'sweep', sweepEveryMs / 2)) {
    await shortenWaits(parts);
    await sweepExpired(parts);
    await sweepBlobs(livePrefixes);
  }
  if (await acquireMaintenanceLock(parts.db, 'sweep-lasting', parts.shared ? dayMs : sweepEveryMs / 2))
    await sweepBlobs(lastingPrefixes);
}

/**
 * The time by which blobs are old. Files have the machine's, which an embedded database does not follow back. Null where
 * it was set lately: a photo that is being accepted may look hours old.
 */
function timeForBlobs({ shared, db }: MaintenanceParts, clock: ClockWatch): number | null {
  if (shared) return db.now();
  return clock.undisturbedMs() < youngMs ? null : Math.min(db.now(), Date.now());
}

function every(ms: number, log: Logger, work: () => Promise<void>): NodeJS.Timeout {
  const timer = setInterval(() => {
    work().catch((error) => log.error({ err: error }, 'maintenance failed'));
  }, ms);
  return timer.unref();
}
