import type { JobArchive, JobBatch, JobBatchResults, JobDetail } from '@guise/contract/job-details.ts';
import type { JobList, JobListEntry, JobListQuery } from '@guise/contract/jobs.ts';
import { readEntries } from './pages.ts';
import { type JobEvent, streamJobEvents } from './runs/job-events.ts';
import type { Transport } from './transport.ts';

/** The caller's jobs. */
export const jobsApi = (transport: Transport) => ({
  list: (query: Partial<JobListQuery> = {}, signal?: AbortSignal) =>
    transport.request<JobList>('GET', '/v1/jobs', { query, signal }),
  /** Every job, newest first. */
  all: (query: Partial<Omit<JobListQuery, 'cursor'>> = {}, signal?: AbortSignal) =>
    readEntries(
      (cursor) => transport.request<JobList>('GET', '/v1/jobs', { query: { ...query, cursor }, signal }),
      ({ jobs }) => jobs,
    ),
  /** How a job goes on, until it has ended or the connection is lost. */
  events: (id: string, signal?: AbortSignal): AsyncGenerator<JobEvent, void, undefined> =>
    streamJobEvents(transport, id, signal),
  get: (id: string, signal?: AbortSignal) =>
    transport.request<JobDetail>('GET', `/v1/jobs/${id}`, { signal }),
  /** It ends FAILED, and its credits come back. */
  cancel: (id: string, signal?: AbortSignal) =>
    transport.request<JobListEntry>('POST', `/v1/jobs/${id}/cancel`, { signal }),
  /** Submits a failed job that had no photos again, as a new job. */
  retry: (id: string, signal?: AbortSignal) =>
    transport.request<JobListEntry>('POST', `/v1/jobs/${id}/retry`, { signal }),
  /** Erases its photos and results, now. */
  erase: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/jobs/${id}`, { signal }),
  /** Cancels, erases or retries up to 200 jobs; each has a result of its own. */
  batch: (body: JobBatch, signal?: AbortSignal) =>
    transport.request<JobBatchResults>('POST', '/v1/jobs/batch', { body, signal }),
  /** A link to a zip file of the results of up to 1000 jobs. */
  archive: (ids: string[], signal?: AbortSignal) =>
    transport.request<JobArchive>('POST', '/v1/job_archives', { body: { ids }, signal }),
});
