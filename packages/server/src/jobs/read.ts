import { findFamily, wordOf } from '@guise/contract/families/families.ts';
import type { JobListEntry } from '@guise/contract/jobs.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import type { Db } from '../store/db.ts';
import { findJobStatus, type JobStatusRow } from '../store/job-records.ts';
import type { JobRow } from '../store/schema.ts';
import type { JobWaits } from './job-waits.ts';
import { mediaTypeOf, thumbnailKeyOf } from './results/result-keys.ts';

export const jobNotFound = () => new AppError('JOB_NOT_FOUND', 'There is no job with this id.');
export const jobExpired = () =>
  new AppError('JOB_EXPIRED', 'The result of this job has expired and was deleted.');

export const hasEnded = (job: Pick<JobRow, 'state'>) => job.state === 'completed' || job.state === 'failed';

/** A job as a status call names it. */
export interface StatusQuery {
  accountId: string;
  /** As in the family's row, such as `/v6/status/{job_id}`; null for a caller that knows the job by its id alone. */
  statusPath: string | null;
  id: string;
}

/** The caller's job, if it was made by a family that is polled on this status path. */
export async function readJob(db: Db, { accountId, statusPath, id }: StatusQuery): Promise<JobStatusRow> {
  const job = await db.one(findJobStatus, { id, account_id: accountId });
  if (!job) throw jobNotFound();
  if (statusPath !== null && findFamily(job.family)?.status !== statusPath) throw jobNotFound();
  if (hasEnded(job) && job.expires_at <= db.now()) throw jobExpired();
  return job;
}

/** As `readJob`, but not before the job has ended, `waitMs` have passed, the caller has gone or the server stops. */
export async function readJobAtEnd(
  { db, waits }: { db: Db; waits: JobWaits },
  query: StatusQuery,
  waitMs: number,
  signal: AbortSignal,
): Promise<JobStatusRow> {
  const wait = waits.open(query.id, waitMs, signal);
  try {
    for (;;) {
      const job = await readJob(db, query);
      if (hasEnded(job) || wait.isOver()) return job;
      await wait.changed();
      // The connection is closed: the answer is not sent.
      if (signal.aborted) return job;
    }
  } finally {
    wait.close();
  }
}

/** Photos are deleted when a job ends, whatever its end, and its request when it expires: then there is nothing to submit. */
export function canRetry(job: Pick<JobRow, 'state' | 'family' | 'params' | 'inputs'>): boolean {
  return (
    job.state === 'failed' &&
    job.params !== '{}' &&
    job.inputs === '[]' &&
    findFamily(job.family) !== undefined
  );
}

/** The words of a job whose family there is no more. */
const formerFamily = { words: { queued: 'QUEUED', running: 'RUNNING' } } as const;

/** A signed link to a blob of a job, which is valid until the job expires. */
export type LinkToBlob = (job: Pick<JobRow, 'account_id' | 'expires_at'>, key: string) => string;

export function entryOf(job: JobRow, linkTo: LinkToBlob): JobListEntry {
  return {
    id: job.id,
    family: job.family,
    status: wordOf(findFamily(job.family) ?? formerFamily, job.state),
    progress: job.progress,
    filter: job.filter_ref,
    credits: job.price,
    created_at: isoTime(job.created_at),
    finished_at: job.finished_at === null ? null : isoTime(job.finished_at),
    expires_at: isoTime(job.expires_at),
    error: job.error,
    cancelled: job.cancelled === 1,
    can_retry: canRetry(job),
    key_id: job.key_id,
    quick_test_link_id: job.quick_test_link_id,
    filter_name: job.filter_name,
    thumbnail_url: job.result_key === null ? null : linkTo(job, thumbnailKeyOf(job.result_key)),
    media_type: mediaTypeOf(job),
  };
}
