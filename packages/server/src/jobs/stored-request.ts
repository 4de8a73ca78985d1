import { type GenerationRequest, parseRequest } from '@guise/contract/families/requests.ts';
import { AppError } from '../errors.ts';
import type { JobRow } from '../store/schema.ts';

/** A job's row as the request that it was when the job was accepted. Rows are read here, and nowhere else. */
export function readStoredRequest(job: Pick<JobRow, 'family' | 'params' | 'filter'>): GenerationRequest {
  try {
    return parseRequest(
      job.family,
      JSON.parse(job.params),
      job.filter === null ? null : JSON.parse(job.filter),
    );
  } catch (cause) {
    const sentence = 'The server can no longer read this job. Submit it again.';
    throw new AppError('JOB_UNREADABLE', sentence, { cause });
  }
}
