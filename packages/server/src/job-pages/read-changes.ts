import type { ChangeType, QueueState } from '@guise/contract/changes.ts';
import { afterEveryId } from '../ids.ts';
import { findAccount } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import {
  countRunningJobsOf,
  listAliasIdsSince,
  listCustomFiltersSince,
  listEndedJobsSince,
  queueOfAccount,
} from '../store/reports/change-records.ts';
import { listQueuedJobs, listRunningJobs } from '../store/reports/job-list-records.ts';
import type { CustomFilterRow, JobRow } from '../store/schema.ts';

/** A thing of an account as it is now. */
export interface Change {
  type: ChangeType;
  /** Of the thing; the same as the type where there is one of it. */
  id: string;
  data: unknown;
}

/** How callers see things. */
export interface ChangeViews {
  job(row: JobRow): unknown;
  filter(row: CustomFilterRow): unknown;
  alias(id: string): Promise<unknown>;
}

/** Of jobs, filters and aliases each, so many are read at once. */
const most = 200;

/** Jobs that have not ended and those that ended since a time, in the order in which they were accepted. */
export async function readJobChanges(
  db: Db,
  account_id: string,
  since: number,
  views: ChangeViews,
): Promise<{ changes: Change[]; running: number }> {
  const all = { account_id, since: '', before: afterEveryId, limit: most };
  const running = await db.all(listRunningJobs, all);
  const queued = await db.all(listQueuedJobs, all);
  const ended = await db.all(listEndedJobsSince, { account_id, since, limit: most });
  // One that ended between the statements is in two of the lists: the last one is right.
  const jobs = new Map([...queued, ...running, ...ended].map((job) => [job.id, job]));
  const changes = [...jobs.values()]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map((job): Change => ({ type: 'job', id: job.id, data: views.job(job) }));
  return { changes, running: running.length };
}

/** Filters and aliases that were made or changed since a time, the oldest change first. */
export async function readCatalogChanges(
  db: Db,
  account_id: string,
  since: number,
  views: ChangeViews,
): Promise<Change[]> {
  const changed = { account_id, since, limit: most };
  const changes: Change[] = (await db.all(listCustomFiltersSince, changed))
    .toReversed()
    .map((row) => ({ type: 'filter', id: row.id, data: views.filter(row) }));
  for (const { id } of (await db.all(listAliasIdsSince, changed)).toReversed())
    changes.push({ type: 'alias', id, data: await views.alias(id) });
  return changes;
}

export async function readBalance(db: Db, id: string): Promise<Change> {
  const { balance } = (await db.one(findAccount, { id }))!;
  return { type: 'balance', id: 'balance', data: { balance } };
}

export async function readQueue(db: Db, account_id: string): Promise<Change> {
  const { waiting, oldest } = (await db.one(queueOfAccount, { account_id }))!;
  const { running } = (await db.one(countRunningJobsOf, { account_id }))!;
  const wait_ms = oldest === null ? 0 : Math.max(0, db.now() - oldest);
  return { type: 'queue', id: 'queue', data: { waiting, running, wait_ms } satisfies QueueState };
}
