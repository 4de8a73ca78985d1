import { type AnyBody, findFamily } from '@guise/contract/families/families.ts';
import { AppError } from '../errors.ts';
import { canRetry, jobNotFound } from '../jobs/read.ts';
import { readStoredRequest, readUnusedFields } from '../jobs/stored-request.ts';
import { type RunRequest, type SubmitParts, submit } from '../jobs/submit.ts';
import { findJob } from '../store/job-records.ts';
import type { JobRow } from '../store/schema.ts';

const jobNotFailed = () => new AppError('JOB_NOT_FAILED', 'Only a job that has failed can be retried.');
const inputsDeleted = () =>
  new AppError(
    'INPUTS_DELETED',
    'The photos of this job were deleted when it ended. Submit it again with the photos.',
  );

/**
 * Submits a failed job again, as a new job with a new charge: the credits of the failed one came back. For jobs that had
 * no photos.
 */
export async function retryFailedJob(
  parts: SubmitParts,
  { accountId, keyId }: Pick<RunRequest, 'accountId' | 'keyId'>,
  id: string,
  idempotencyKey?: string,
): Promise<JobRow> {
  const job = await parts.db.one(findJob, { id, account_id: accountId });
  if (!job) throw jobNotFound();
  if (job.state !== 'failed') throw jobNotFailed();
  const family = findFamily(job.family);
  if (!family || !canRetry(job)) throw inputsDeleted();
  const { params } = readStoredRequest(job);
  const idempotency =
    idempotencyKey === undefined ? null : { key: idempotencyKey, fingerprint: `retry ${id}` };
  const submitted = await submit(parts, {
    accountId,
    keyId,
    family,
    body: params as AnyBody,
    unusedFields: readUnusedFields(job),
    idempotency,
    photosStay: job.photos_stay === 1,
  });
  const next = await parts.db.one(findJob, { id: submitted.id, account_id: accountId });
  if (!next) throw jobNotFound();
  return next;
}
