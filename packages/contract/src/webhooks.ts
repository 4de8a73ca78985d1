import { z } from 'zod';
import { WebhookUrl } from './common.ts';

/** What the signatures of an account's webhooks are verified with. */
export const WebhookSecret = z.object({ secret: z.string() }).meta({ id: 'WebhookSecret' });
export type WebhookSecret = z.infer<typeof WebhookSecret>;

export const WebhookSecretInfo = z
  .object({
    created_at: z.iso.datetime(),
    last4: z.string(),
    previous_signs_until: z.iso.datetime().nullable(),
  })
  .meta({ id: 'WebhookSecretInfo' });
export type WebhookSecretInfo = z.infer<typeof WebhookSecretInfo>;

export const RolledWebhookSecret = WebhookSecretInfo.extend({ secret: z.string() }).meta({
  id: 'RolledWebhookSecret',
});
export type RolledWebhookSecret = z.infer<typeof RolledWebhookSecret>;

export const WebhookDelivery = z
  .object({
    id: z.string(),
    job_id: z.string().nullable().meta({ description: 'The job that it tells of' }),
    endpoint_id: z.string(),
    url: z.string(),
    event: z.string(),
    status: z.enum(['pending', 'delivered', 'failed', 'disabled']),
    attempts: z.number().int(),
    last_status_code: z.number().int().nullable(),
    last_error: z.string().nullable(),
    created_at: z.iso.datetime(),
    next_attempt_at: z.iso.datetime().nullable(),
    delivered_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryList = z
  .object({
    webhook_deliveries: z.array(WebhookDelivery),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'WebhookDeliveryList' });
export type WebhookDeliveryList = z.infer<typeof WebhookDeliveryList>;

export const WebhookEndpoint = z
  .object({
    id: z.string(),
    url: z.string(),
    status: z.enum(['enabled', 'disabled']),
    failures: z.number().int(),
    failing_since: z.iso.datetime().nullable(),
    disabled_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'WebhookEndpoint' });
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

export const WebhookEndpointList = z
  .object({
    webhook_endpoints: z.array(WebhookEndpoint),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'WebhookEndpointList' });
export type WebhookEndpointList = z.infer<typeof WebhookEndpointList>;

/** Where the ends of runs are told that name no `webhook_url`. */
export const StandingWebhook = z
  .object({ url: WebhookUrl.nullable().meta({ description: 'Null for none' }) })
  .meta({ id: 'StandingWebhook' });
export type StandingWebhook = z.infer<typeof StandingWebhook>;

export const WebhookTest = z.object({ url: WebhookUrl }).meta({ id: 'WebhookTest' });

/** What the receiver of a test delivery answered. `error` is null when that was a status of 2xx. */
export const WebhookTestResult = z
  .object({
    status_code: z.number().int().nullable(),
    error: z.string().nullable(),
    ms: z.number().int(),
  })
  .meta({ id: 'WebhookTestResult' });
export type WebhookTestResult = z.infer<typeof WebhookTestResult>;
