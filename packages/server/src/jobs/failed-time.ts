import { rateLimited } from '../errors.ts';
import type { Db } from '../store/db.ts';
import { failedTimeOf } from '../store/failed-run-records.ts';

/** How long a failed run counts against its account. */
export const failedTimeWindowMs = 10 * 60_000;

/** How much time of engines an account's failed runs have taken, and whether it may start more. */
export interface FailedTime {
  /** Throws `RATE_LIMITED` while it was too much. */
  assertBelowLimit(accountId: string): Promise<void>;
}

/**
 * A run that fails gives its credits back, so that nothing else keeps an account from taking all engines with photos
 * that fail late. `limitSeconds` is the time in the last 10 minutes; 0 is no limit.
 */
export function createFailedTime(db: Db, limitSeconds: number): FailedTime {
  return {
    async assertBelowLimit(account_id) {
      if (limitSeconds === 0) return;
      const { engine_ms, oldest_ms } = (await db.one(failedTimeOf, {
        account_id,
        window_ms: failedTimeWindowMs,
      }))!;
      if (engine_ms < limitSeconds * 1000) return;
      const resetSeconds = Math.max(1, Math.ceil((failedTimeWindowMs - oldest_ms) / 1000));
      throw rateLimited(
        `Jobs of this account that failed took ${limitSeconds} s of the last 10 minutes. Retry after ${resetSeconds} s.`,
        { limit: limitSeconds, resetSeconds },
      );
    },
  };
}
