import { z } from 'zod';

const EndedJob = z.object({
  id: z.string(),
  family: z.string(),
  status: z.string().meta({ description: 'The status word of the job’s family' }),
  status_path: z.string().meta({ description: 'Where the result is read' }),
});

/** What webhooks tell of: `type` of a message, when it is sent, and its `data`. A type is one row. */
export const webhookTypes = {
  'job.completed': {
    sent: 'a job with a `webhook_url`, or of an account with a standing one, has completed',
    data: EndedJob,
  },
  'job.failed': {
    sent: 'a job with a `webhook_url`, or of an account with a standing one, has failed or was cancelled',
    data: EndedJob.extend({
      error: z.string().meta({ description: 'The sentence of its status answer' }),
    }),
  },
  'event.picture_ready': {
    sent: 'a job of an event with a `webhook_url` has completed',
    data: z.object({
      event_id: z.string(),
      job_id: z.string(),
      offer_id: z.string(),
      guest_id: z.string().meta({ description: 'As in the list of the event’s jobs' }),
    }),
  },
  'event.budget_low': {
    sent: 'a job has left less than a tenth of the budget of an event with a `webhook_url`',
    data: z.object({
      event_id: z.string(),
      budget: z.number().int(),
      spent: z.number().int(),
      left: z.number().int().meta({ description: 'Credits' }),
    }),
  },
  'event.delivery_requested': {
    sent: 'a guest of an event with a `webhook_url` asks for the link to a picture by a text message',
    data: z.object({
      event_id: z.string(),
      job_id: z.string(),
      guest_id: z.string(),
      channel: z.enum(['sms', 'whatsapp']),
      number: z.string().meta({ description: 'With the code of the country' }),
      guest_url: z.string().meta({ description: 'What to send' }),
      consent_at: z.iso.datetime(),
    }),
  },
  'webhook.test': { sent: 'an endpoint is tested', data: z.object({}) },
} as const;

export type WebhookType = keyof typeof webhookTypes;
export type WebhookData<Type extends WebhookType> = z.infer<(typeof webhookTypes)[Type]['data']>;
