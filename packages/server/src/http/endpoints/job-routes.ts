import {
  JobArchive,
  JobBatch,
  JobBatchResults,
  JobDetail,
  NewJobArchive,
} from '@guise/contract/job-details.ts';
import { JobListEntry } from '@guise/contract/jobs.ts';
import { Usage, UsageQuery } from '@guise/contract/usage.ts';
import { isoTime } from '../../iso-time.ts';
import { archiveMs, createArchive } from '../../job-pages/job-archives.ts';
import { runBatch } from '../../job-pages/job-batch.ts';
import { readJobDetail } from '../../job-pages/job-detail.ts';
import { retryFailedJob } from '../../job-pages/retry-failed.ts';
import { readUsage, writeUsageCsv } from '../../job-pages/usage.ts';
import { entryOf } from '../../jobs/read.ts';
import { baseUrlOf, callerOf, idOf, jobLinks, submitterOf } from '../request.ts';
import { json, none, ok, type Route, route } from '../route.ts';
import { streamChanges } from './account-changes.ts';
import { eraseJob } from './erase-job.ts';
import { idempotencyOf } from './submit-run.ts';

export const jobPageRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/jobs/{id}',
    operation: 'readJob',
    scopes: ['run', 'read'],
    tag: 'Jobs',
    summary: 'A job with its request, the parts of its time, and its result',
    success: ok(JobDetail),
    handle: (parts, request) =>
      readJobDetail(parts.db, callerOf(request), idOf(request), jobLinks(parts, request)),
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/jobs/{id}/retry',
    operation: 'retryJob',
    scopes: ['run'],
    tag: 'Jobs',
    summary: 'Submit a failed job that had no photos again, as a new job',
    counted: 'runs',
    success: { status: 201, shape: JobListEntry },
    handle: async (parts, request) => {
      const key = idempotencyOf(request)?.key;
      const job = await retryFailedJob(parts, submitterOf(request), idOf(request), key);
      return entryOf(job, jobLinks(parts, request));
    },
  },
  route({
    ...json,
    method: 'POST',
    path: '/v1/jobs/batch',
    operation: 'changeJobs',
    scopes: ['run'],
    tag: 'Jobs',
    summary: 'Cancel, erase or retry many jobs',
    body: JobBatch,
    counted: 'runs',
    isCounted: ({ action }) => action === 'retry',
    countedMore: ({ ids }) => ids.length - 1,
    success: ok(JobBatchResults),
    handle: (parts, request) =>
      runBatch(parts, submitterOf(request), request.body, {
        linkTo: jobLinks(parts, request),
        erase: (id) => eraseJob(parts, callerOf(request).id, id),
      }),
  }),
  {
    ...none,
    method: 'GET',
    path: '/v1/changes',
    operation: 'streamChanges',
    scopes: ['read'],
    tag: 'Jobs',
    summary: 'What changes of the caller’s jobs, filters, aliases, credits and queue, as server-sent events',
    success: { status: 200 },
    handle: streamChanges,
  },
  route({
    ...json,
    method: 'POST',
    path: '/v1/job_archives',
    operation: 'createJobArchive',
    scopes: ['run', 'read'],
    tag: 'Jobs',
    summary: 'A link to a zip file of the results of jobs',
    body: NewJobArchive,
    success: { status: 201, shape: JobArchive },
    handle: async (parts, request) => {
      const { id } = callerOf(request);
      const { linkKey, jobs } = await createArchive(parts, id, { ids: request.body.ids });
      const expiresAt = Date.now() + archiveMs;
      const url = parts.links.create(baseUrlOf(parts, request), linkKey, id, expiresAt);
      return { url, expires_at: isoTime(expiresAt), jobs };
    },
  }),
  route({
    ...none,
    method: 'GET',
    path: '/v1/usage',
    operation: 'readUsage',
    scopes: ['read'],
    tag: 'Account',
    summary: 'What the caller’s jobs came to, by day, family, filter or key; `format=csv` as a file',
    query: UsageQuery,
    success: ok(Usage),
    handle: async (parts, request, reply) => {
      const usage = await readUsage(parts.db, callerOf(request), request.query);
      if (request.query.format === 'json') return usage;
      reply.type('text/csv; charset=utf-8').header('content-disposition', 'attachment; filename="usage.csv"');
      return writeUsageCsv(request.query.by, usage);
    },
  }),
];
