import type { AnyParams } from '@guise/contract/families/families.ts';
import { type GenerationRequest, parseRequest } from '@guise/contract/families/requests.ts';
import { AppError } from '../errors.ts';
import type { JobRow } from '../store/schema.ts';

/** Parameters as a row keeps them, with the names of fields that nobody uses beside them. */
export function writeParams(params: AnyParams, unused: readonly string[] | null = null): string {
  return JSON.stringify({ ...params, ...(unused?.length && { ignored_fields: unused }) });
}

/** They are no part of the request: the default seed is a hash of that, and must not change with them. */
export function readUnusedFields({ params }: Pick<JobRow, 'params'>): string[] {
  return (JSON.parse(params) as { ignored_fields?: string[] }).ignored_fields ?? [];
}

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
