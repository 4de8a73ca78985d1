import { Page } from '@guise/contract/jobs.ts';
import {
  RolledWebhookSecret,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookSecret,
  WebhookSecretInfo,
} from '@guise/contract/webhooks.ts';
import {
  enable,
  readDeliveries,
  readDelivery,
  readEndpoints,
  replay,
} from '../../jobs/webhooks/read-webhooks.ts';
import { callerOf, idOf } from '../request.ts';
import { none, ok, type Route, route } from '../route.ts';
import { idempotencyOf } from './submit-run.ts';

const tag = 'Webhooks';

export const webhookRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/users/me/webhook-secret',
    scopes: ['manage'],
    tag,
    summary: 'The first secret of the caller’s webhooks, until it is rolled',
    success: ok(WebhookSecret),
    handle: async (parts, request) => ({
      secret: await parts.webhookSecrets.readFirst(callerOf(request).id),
    }),
  },
  {
    ...none,
    method: 'GET',
    path: '/v1/webhook_secret',
    scopes: ['read'],
    tag,
    summary: 'When the caller’s webhook secret was made, and until when the previous one signs',
    success: ok(WebhookSecretInfo),
    handle: (parts, request) => parts.webhookSecrets.describe(callerOf(request).id),
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/webhook_secret/roll',
    scopes: ['manage'],
    tag,
    summary: 'Make a new webhook secret, shown once; the old one signs for 24 h more',
    success: { status: 201, shape: RolledWebhookSecret },
    handle: (parts, request) => parts.webhookSecrets.roll(callerOf(request).id, idempotencyOf(request)?.key),
  },
  route({
    ...none,
    method: 'GET',
    path: '/v1/webhook_deliveries',
    scopes: ['read'],
    tag,
    summary: 'Webhook deliveries of the caller, newest first',
    query: Page,
    success: ok(WebhookDeliveryList),
    handle: (parts, request) => readDeliveries(parts.db, callerOf(request).id, request.query),
  }),
  {
    ...none,
    method: 'GET',
    path: '/v1/webhook_deliveries/{id}',
    scopes: ['read'],
    tag,
    summary: 'A webhook delivery',
    success: ok(WebhookDelivery),
    handle: (parts, request) => readDelivery(parts.db, callerOf(request).id, idOf(request)),
  },
  {
    ...none,
    method: 'POST',
    path: '/v1/webhook_deliveries/{id}/replay',
    scopes: ['manage'],
    tag,
    summary: 'Send a webhook delivery again',
    success: ok(WebhookDelivery),
    handle: (parts, request) => replay(parts.db, callerOf(request).id, idOf(request)),
  },
  route({
    ...none,
    method: 'GET',
    path: '/v1/webhook_endpoints',
    scopes: ['read'],
    tag,
    summary: 'Webhook endpoints of the caller, newest first',
    query: Page,
    success: ok(WebhookEndpointList),
    handle: (parts, request) => readEndpoints(parts.db, callerOf(request).id, request.query),
  }),
  {
    ...none,
    method: 'POST',
    path: '/v1/webhook_endpoints/{id}/enable',
    scopes: ['manage'],
    tag,
    summary: 'Enable a webhook endpoint that was disabled because it failed for long',
    success: ok(WebhookEndpoint),
    handle: (parts, request) => enable(parts.db, callerOf(request).id, idOf(request)),
  },
];
