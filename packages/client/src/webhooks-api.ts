import type {
  RolledWebhookSecret,
  StandingWebhook,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookSecret,
  WebhookSecretInfo,
  WebhookTestResult,
} from '@guise/contract/webhooks.ts';
import type { Transport } from './transport.ts';

/** Where the account is told that jobs have ended, and what was sent there. */
export const webhooksApi = (transport: Transport) => ({
  secret: (signal?: AbortSignal) =>
    transport.request<WebhookSecretInfo>('GET', '/v1/webhook_secret', { signal }),
  /** The first secret itself, until it is rolled. */
  firstSecret: (signal?: AbortSignal) =>
    transport.request<WebhookSecret>('GET', '/v1/users/me/webhook-secret', { signal }),
  /** The secret is in this answer only. */
  rollSecret: (signal?: AbortSignal) =>
    transport.request<RolledWebhookSecret>('POST', '/v1/webhook_secret/roll', { signal }),
  endpoints: (cursor?: string, signal?: AbortSignal) =>
    transport.request<WebhookEndpointList>('GET', '/v1/webhook_endpoints', { query: { cursor }, signal }),
  enableEndpoint: (id: string, signal?: AbortSignal) =>
    transport.request<WebhookEndpoint>('POST', `/v1/webhook_endpoints/${id}/enable`, { signal }),
  /** Sends a signed delivery to a URL, now, and tells what came back. */
  /** Where the ends of runs are told that name no `webhook_url`. */
  standing: (signal?: AbortSignal) =>
    transport.request<StandingWebhook>('GET', '/v1/standing_webhook', { signal }),
  setStanding: (url: string | null, signal?: AbortSignal) =>
    transport.request<StandingWebhook>('PUT', '/v1/standing_webhook', { body: { url }, signal }),
  test: (url: string, signal?: AbortSignal) =>
    transport.request<WebhookTestResult>('POST', '/v1/webhook_endpoints/test', { body: { url }, signal }),
  deliveries: (cursor?: string, signal?: AbortSignal) =>
    transport.request<WebhookDeliveryList>('GET', '/v1/webhook_deliveries', { query: { cursor }, signal }),
  delivery: (id: string, signal?: AbortSignal) =>
    transport.request<WebhookDelivery>('GET', `/v1/webhook_deliveries/${id}`, { signal }),
  replay: (id: string, signal?: AbortSignal) =>
    transport.request<WebhookDelivery>('POST', `/v1/webhook_deliveries/${id}/replay`, { signal }),
});
