import { AppError, rateLimited } from '../errors.ts';
import type { Db } from '../store/db.ts';
import { countJobs, countQueuedJobsOf } from '../store/job-records.ts';

/** Counting takes as long as many wait, so one count serves for this long. */
const countEveryMs = 1000;
/** Beyond this, counts of accounts are forgotten and made anew. */
const mostAccounts = 10_000;

/** How many jobs may wait. */
export interface BacklogLimits {
  queued: number;
  /** Of one account, so that others find room. */
  queuedOfAccount: number;
}

/** How many jobs wait, and whether more may. */
export interface Backlog {
  /** Throws `QUEUE_FULL`, or `RATE_LIMITED` where it is the account's own share that is full. */
  assertRoom(accountId: string): Promise<void>;
}

const queueFull = () =>
  new AppError('QUEUE_FULL', 'The queue is full. Retry after 10 s.', { headers: { 'retry-after': '10' } });
const shareFull = (limit: number) =>
  rateLimited(`This account has ${limit} jobs waiting, as many as may wait. Retry after 10 s.`, {
    limit,
    resetSeconds: 10,
  });

export function createBacklog(db: Db, limits: BacklogLimits): Backlog {
  const all = createCounter(limits.queued, async () => (await db.one(countJobs, { state: 'queued' }))!.count);
  const byAccount = new Map<string, Counter>();
  const counterOf = (accountId: string) => {
    const known = byAccount.get(accountId);
    if (known) return known;
    if (byAccount.size >= mostAccounts) byAccount.clear();
    const counter = createCounter(
      limits.queuedOfAccount,
      async () => (await db.one(countQueuedJobsOf, { account_id: accountId }))!.count,
    );
    byAccount.set(accountId, counter);
    return counter;
  };
  return {
    async assertRoom(accountId) {
      if (await all.isFull()) throw queueFull();
      if (await counterOf(accountId).isFull()) throw shareFull(limits.queuedOfAccount);
    },
  };
}

interface Counter {
  /** Whether the limit is reached; if not, one more is taken to wait. Never true without having just counted. */
  isFull(): Promise<boolean>;
}

function createCounter(limit: number, count: () => Promise<number>): Counter {
  /** How many may wait at most: those of the last count, and all that were accepted here since. */
  let waiting = limit;
  let countedAt = Number.NEGATIVE_INFINITY;
  return {
    async isFull() {
      const now = performance.now();
      if (now - countedAt < countEveryMs && waiting < limit) {
        waiting++;
        return false;
      }
      const counted = await count();
      waiting = counted + 1;
      countedAt = now;
      return counted >= limit;
    },
  };
}
