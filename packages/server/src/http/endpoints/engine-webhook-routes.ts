import { networkOf } from '../../accounts/login-failures.ts';
import { holdUntilClosed } from '../request.ts';
import type { Route } from '../route.ts';

/** A result as data URI: a picture of 4K as PNG has some 40 MB. Nothing of it is kept. */
const maxBody = 64 * 1024 * 1024;

/** What picture services call when a request of theirs has ended. */
export const engineWebhookRoutes: Route[] = [
  {
    bodyKind: 'digest',
    access: 'public',
    scopes: [],
    method: 'POST',
    path: '/v1/engine_webhooks/fal',
    operation: 'receiveFalWebhook',
    tag: 'Server',
    summary:
      'fal says that a request has ended: a call that it has signed makes the waiting run ask for it, and tells it nothing else',
    maxBody,
    success: { status: 204 },
    async checkHeaders(parts, request, reply) {
      parts.falWebhooks.check(request.headers);
      holdUntilClosed(reply, await parts.admission.engine_webhooks.enter(networkOf(request.ip)));
    },
    handle: (parts, request) => parts.falWebhooks.receive(request.headers, String(request.body)),
  },
];
