import { Credits, Token, TokenForm } from '@guise/contract/account.ts';
import { JobList, JobListEntry, JobListQuery, Page } from '@guise/contract/jobs.ts';
import { readCredits } from '../../credits/ledger.ts';
import { readJobs } from '../../job-pages/job-lists.ts';
import { cancel } from '../../jobs/end.ts';
import { entryOf } from '../../jobs/read.ts';
import { callerOf, idOf, jobLinks } from '../request.ts';
import { none, ok, type Route, route } from '../route.ts';
import { eraseJob } from './erase-job.ts';
import { streamJobProgress } from './job-progress.ts';

export const jobRoutes: Route[] = [
  route({
    ...none,
    method: 'GET',
    path: '/v1/jobs',
    operation: 'listJobs',
    scopes: ['run', 'read'],
    tag: 'Jobs',
    summary: 'Jobs of the caller, newest first',
    query: JobListQuery,
    success: ok(JobList),
    handle: (parts, request) =>
      readJobs(parts.db, callerOf(request).id, request.query, jobLinks(parts, request)),
  }),
  {
    ...none,
    method: 'GET',
    path: '/v1/jobs/{id}/events',
    operation: 'streamJobEvents',
    scopes: ['run', 'read'],
    tag: 'Jobs',
    summary: 'Progress of a job as server-sent events',
    success: { status: 200 },
    handle: streamJobProgress,
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/jobs/{id}/cancel',
    operation: 'cancelJob',
    scopes: ['run', 'manage'],
    tag: 'Jobs',
    summary: 'Cancel a job: it ends FAILED and its credits come back',
    success: ok(JobListEntry),
    handle: async (parts, request) =>
      entryOf(await cancel(parts, callerOf(request).id, idOf(request)), jobLinks(parts, request)),
  },
  {
    ...none,
    method: 'DELETE',
    path: '/v1/jobs/{id}',
    operation: 'eraseJob',
    scopes: ['run', 'manage'],
    tag: 'Jobs',
    summary: 'Erase a job with its photos and results, now',
    success: { status: 204 },
    handle: (parts, request) => eraseJob(parts, callerOf(request).id, idOf(request)),
  },
];

export const accountRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/token',
    operation: 'createToken',
    scopes: [],
    access: 'public',
    bodyKind: 'form',
    tag: 'Account',
    summary: 'Get an access token for an email and a password',
    body: TokenForm,
    success: ok(Token),
    handle: async (parts, request) => {
      const { username, password } = request.body;
      const login = { email: username, password, address: request.ip };
      return { ...(await parts.logins.logIn(login)), token_type: 'bearer' };
    },
  }),
  route({
    ...none,
    method: 'GET',
    path: '/v1/users/me/credits',
    operation: 'readCredits',
    scopes: ['run', 'read'],
    tag: 'Account',
    summary: 'Balance and ledger of the caller, newest entry first',
    query: Page,
    success: ok(Credits),
    handle: (parts, request) => readCredits(parts.db, parts.ledgerIds, callerOf(request).id, request.query),
  }),
];
