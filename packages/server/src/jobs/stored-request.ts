import type { AnyParams } from '@guise/contract/families/families.ts';
import { type GenerationRequest, parseRequest } from '@guise/contract/families/requests.ts';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import { readJson } from '../store/json-column.ts';
import type { JobRow } from '../store/schema.ts';

/** Parameters as a row keeps them, with the names of fields that nobody uses beside them. */
export function writeParams(params: AnyParams, unused: readonly string[] | null = null): string {
  return JSON.stringify({ ...params, ...(unused?.length && { ignored_fields: unused }) });
}

/** What of a row's parameters is read without the family's schema. */
const CommonParams = z.object({
  webhook_url: z.string().optional(),
  ignored_fields: z.array(z.string()).default([]),
});

/** They are no part of the request: the default seed is a hash of that, and must not change with them. */
export function readUnusedFields({ params }: Pick<JobRow, 'params'>): string[] {
  return readJson(CommonParams, params).ignored_fields;
}

/** Where the end of a job is told. Throws for a row that cannot be read. */
export function readWebhookUrl({ params }: Pick<JobRow, 'params'>): string | null {
  return readJson(CommonParams, params).webhook_url ?? null;
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
