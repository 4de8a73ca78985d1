import { Credits, Token, TokenForm, WebhookSecret } from '@guise/contract/account.ts';
import { JobList, JobListEntry, Page } from '@guise/contract/jobs.ts';
import { logIn } from '../accounts/passwords.ts';
import { readCredits } from '../credits/ledger.ts';
import { cancel, erase } from '../jobs/end.ts';
import { entryOf, readJobs } from '../jobs/read.ts';
import { callerOf, idOf } from './call.ts';
import { answerJobEvents } from './job-events.ts';
import { none, ok, type Route } from './route.ts';
import { shaped } from './shape.ts';

export const jobRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/jobs',
    tag: 'Jobs',
    summary: 'Jobs of the caller, newest first',
    query: Page,
    success: ok(JobList),
    handle: (parts, call) => readJobs(parts.db, callerOf(call).id, shaped(Page, call.query)),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/jobs/{id}/events',
    tag: 'Jobs',
    summary: 'Progress of a job as server-sent events',
    success: { status: 200 },
    handle: answerJobEvents,
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/jobs/{id}/cancel',
    tag: 'Jobs',
    summary: 'Cancel a job: it ends FAILED and its credits come back',
    success: ok(JobListEntry),
    handle: async (parts, call) => entryOf(await cancel(parts, callerOf(call).id, idOf(call))),
  },
  {
    ...none,
    method: 'DELETE',
    path: '/v1/jobs/{id}',
    tag: 'Jobs',
    summary: 'Erase a job with its photos and results, now',
    success: { status: 204 },
    handle: (parts, call) => erase(parts, callerOf(call).id, idOf(call)),
  },
];

export const accountRoutes: Route[] = [
  {
    method: 'POST',
    path: '/token',
    access: 'public',
    bodyKind: 'form',
    tag: 'Account',
    summary: 'Get an access token for an email and a password',
    body: TokenForm,
    success: ok(Token),
    handle: async (parts, call) => {
      const form = shaped(TokenForm, call.body);
      return { ...(await logIn(parts.db, form.username, form.password)), token_type: 'bearer' };
    },
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/users/me/credits',
    tag: 'Account',
    summary: 'Balance and ledger of the caller, newest entry first',
    query: Page,
    success: ok(Credits),
    handle: (parts, call) => readCredits(parts.db, callerOf(call).id, shaped(Page, call.query)),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/users/me/webhook-secret',
    tag: 'Account',
    summary: 'What the signatures of the caller’s webhooks are checked with',
    success: ok(WebhookSecret),
    handle: async (parts, call) => ({ secret: parts.webhookSecret(callerOf(call).id) }),
  },
];
