import { JobArchive, JobDetail, NewJobArchive } from '@guise/contract/job-details.ts';
import { isoTime } from '../../iso-time.ts';
import { readJobDetail } from '../../jobs/job-detail.ts';
import { archiveMs, createArchive } from '../../jobs/results/job-archives.ts';
import { baseUrlOf, callerOf, idOf, jobLinks } from '../request.ts';
import { json, none, ok, type Route, route } from '../route.ts';

export const jobPageRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/jobs/{id}',
    scopes: ['run', 'read'],
    tag: 'Jobs',
    summary: 'A job with its request, the parts of its time, and its result',
    success: ok(JobDetail),
    handle: (parts, request) =>
      readJobDetail(parts.db, callerOf(request).id, idOf(request), jobLinks(parts, request)),
  },
  route({
    ...json,
    method: 'POST',
    path: '/v1/job_archives',
    scopes: ['run', 'read'],
    tag: 'Jobs',
    summary: 'A link to a zip file of the results of jobs',
    body: NewJobArchive,
    success: { status: 201, shape: JobArchive },
    handle: async (parts, request) => {
      const { id } = callerOf(request);
      const { linkKey, jobs } = await createArchive(parts, id, request.body.ids);
      const expiresAt = Date.now() + archiveMs;
      const url = parts.links.create(baseUrlOf(parts, request), linkKey, id, expiresAt);
      return { url, expires_at: isoTime(expiresAt), jobs };
    },
  }),
];
