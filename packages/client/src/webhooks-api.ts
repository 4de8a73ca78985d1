import type {
  RolledWebhookSecret,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookSecretInfo,
  WebhookTestResult,
} from '@guise/contract/webhooks.ts';
import type { Transport } from './transport.ts';

/** Where the account is told that jobs have ended, and what was sent there. */
export const webhooksApi = (transport: Transport) => ({
  secret: () => transport.request<WebhookSecretInfo>('GET', '/v1/webhook_secret'),
  /** The secret is in this answer only. */
  rollSecret: () => transport.request<RolledWebhookSecret>('POST', '/v1/webhook_secret/roll'),
  endpoints: (cursor?: string) =>
    transport.request<WebhookEndpointList>('GET', '/v1/webhook_endpoints', { query: { cursor } }),
  enableEndpoint: (id: string) =>
    transport.request<WebhookEndpoint>('POST', `/v1/webhook_endpoints/${id}/enable`),
  /** Sends a signed delivery to a URL, now, and tells what came back. */
  test: (url: string, signal?: AbortSignal) =>
    transport.request<WebhookTestResult>('POST', '/v1/webhook_endpoints/test', { body: { url }, signal }),
  deliveries: (cursor?: string) =>
    transport.request<WebhookDeliveryList>('GET', '/v1/webhook_deliveries', { query: { cursor } }),
  replay: (id: string) => transport.request<WebhookDelivery>('POST', `/v1/webhook_deliveries/${id}/replay`),
});
