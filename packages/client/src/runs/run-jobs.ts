import type { Transport } from '../transport.ts';
import { type FamilyInputs, makeBody, type RunFamily } from './family-inputs.ts';
import { type JobResult, resultOf } from './job-result.ts';
import { type PhotoOptions, readPhotoInput } from './photo-input.ts';
import { type SubmitOptions, submitBody } from './submit-body.ts';
import { type JobReference, type WaitOptions, waitForJob } from './wait-for-job.ts';

export interface RunOptions extends SubmitOptions, WaitOptions {}

/** A job that was accepted. Its family and its id are all that is needed to come back to it later. */
export interface SubmittedJob<F extends RunFamily = RunFamily> extends JobReference<F> {
  status: string;
}

/** What a client needs to run jobs. */
export interface RunParts {
  transport: Transport;
  photos: PhotoOptions;
}

export async function submitJob<F extends RunFamily>(
  { transport, photos }: RunParts,
  family: F,
  input: FamilyInputs[F],
  options: SubmitOptions = {},
): Promise<SubmittedJob<F>> {
  const { downscale = photos.downscale, signal } = options;
  const body = await makeBody(family, input, (photo) => readPhotoInput(photo, { ...photos, downscale }));
  signal?.throwIfAborted();
  const { id, status } = await submitBody(transport, family, body, options);
  return { id, family, status };
}

/** Waits for a job and gives its result; throws `JOB_FAILED` when it has none. */
export async function readResult(
  { transport }: RunParts,
  job: JobReference,
  options: WaitOptions = {},
): Promise<JobResult> {
  return resultOf(transport, job.family, await waitForJob(transport, job, options));
}

/**
 * Submits a job, waits for it and gives its result. When the signal aborts, the job is cancelled and its credits come
 * back: nobody else knows its id.
 */
export async function runJob<F extends RunFamily>(
  parts: RunParts,
  family: F,
  input: FamilyInputs[F],
  options: RunOptions = {},
): Promise<JobResult> {
  const job = await submitJob(parts, family, input, options);
  try {
    return await readResult(parts, job, options);
  } catch (error) {
    if (options.signal?.aborted) await cancelQuietly(parts.transport, job.id);
    throw error;
  }
}

/** The caller gave up: what becomes of the cancelling is not what the caller is told. */
async function cancelQuietly(transport: Transport, id: string): Promise<void> {
  await transport.request('POST', `/v1/jobs/${id}/cancel`).catch(() => {});
}
