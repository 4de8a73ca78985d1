import type { JobArchive, JobBatch, JobBatchResults, JobDetail } from '@guise/contract/job-details.ts';
import type { JobList, JobListEntry, JobListQuery } from '@guise/contract/jobs.ts';
import type { Transport } from './transport.ts';

/** The caller's jobs. */
export const jobsApi = (transport: Transport) => ({
  list: (query: Partial<JobListQuery> = {}, signal?: AbortSignal) =>
    transport.request<JobList>('GET', '/v1/jobs', { query, signal }),
  get: (id: string, signal?: AbortSignal) =>
    transport.request<JobDetail>('GET', `/v1/jobs/${id}`, { signal }),
  /** It ends FAILED, and its credits come back. */
  cancel: (id: string) => transport.request<JobListEntry>('POST', `/v1/jobs/${id}/cancel`),
  /** Erases its photos and results, now. */
  erase: (id: string) => transport.request<void>('DELETE', `/v1/jobs/${id}`),
  /** Cancels, erases or retries up to 200 jobs; each has a result of its own. */
  batch: (body: JobBatch, signal?: AbortSignal) =>
    transport.request<JobBatchResults>('POST', '/v1/jobs/batch', { body, signal }),
  /** A link to a zip file of the results of up to 1000 jobs. */
  archive: (ids: string[]) => transport.request<JobArchive>('POST', '/v1/job_archives', { body: { ids } }),
});
