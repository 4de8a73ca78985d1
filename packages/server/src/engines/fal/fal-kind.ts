import { z } from 'zod';
import { type EngineKind, EnvName, type Inspected, inspectMs, withKey } from '../engine-kind.ts';
import { companyOf, hostedFields } from '../hosted/hosted-entry.ts';
import { readServiceFailure, serviceFailures } from '../hosted/service-failures.ts';
import type { Polling } from '../poll-run.ts';
import { upstream } from '../upstream.ts';
import { falClient } from './fal-client.ts';
import { falEngine } from './fal-engine.ts';
import { falWebhookUrl } from './fal-webhooks.ts';

const Dollars = z.number().min(0).max(1000);
const Field = z.string().regex(/^\w{1,60}$/, 'must be the name of a field');

const Entry = z.strictObject({
  type: z.literal('fal'),
  ...hostedFields,
  url: hostedFields.url.default('https://queue.fal.run'),
  model: z
    .string()
    .regex(/^[\w.-]+(\/[\w.-]+)+$/, 'must be the id of a model, such as fal-ai/flux-2/klein/4b/edit'),
  key_from: EnvName,
  company: hostedFields.company.default('fal'),
  photos: z.union([Field, z.array(Field).min(1).max(16)]).default('image_urls'),
  most_photos: z.int().min(0).max(16).default(4),
  size: z.enum(['image_size', 'aspect_ratio', 'omit']).default('image_size'),
  megapixels: z.number().min(0.05).max(8).optional(),
  seed: z.boolean().default(true),
  durations: z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .optional(),
  sync_mode: z.boolean().default(true),
  extra: z.record(z.string(), z.unknown()).default({}),
  jobs: z.int().min(1).max(64).default(2),
  dollars_per_megapixel: Dollars.optional(),
  dollars_per_second: Dollars.optional(),
  private_results: z.boolean().default(false),
});

export type FalPlan = Omit<z.infer<typeof Entry>, 'key_from'> & {
  key: string;
  /** Others than the usual ones, for tests. */
  polling?: Partial<Polling>;
  rarePolling?: Partial<Polling>;
  callMs?: number;
};

/** A model in the queue of fal. */
export const falKind: EngineKind<typeof Entry, FalPlan> = {
  title: 'fal',
  entry: Entry,
  runsWorkflows: false,
  readsWords: true,
  generates: true,
  withSecrets: withKey,
  checkEntry: ({ photos_leave }) =>
    photos_leave === true ? null : 'must be true: whoever routes jobs to fal lets photos of guests go there',
  sendsPhotosTo: companyOf,
  open(plan, { publicUrl }) {
    const client = falClient({ ...plan, webhookUrl: falWebhookUrl(publicUrl) });
    const { photos } = plan;
    const most_photos = typeof photos === 'string' ? plan.most_photos : photos.length;
    const choices = { ...plan, most_photos };
    const { polling, rarePolling } = plan;
    return { engineFor: (route) => falEngine({ ...route, client, choices, polling, rarePolling }) };
  },
  serversOf: (plan) => [{ address: new URL(plan.url).host, inspect: () => inspectQueue(plan) }],
};

/** Asks for a request that does not exist: nothing is sent, nothing is made, and a good key is told from a bad one. */
async function inspectQueue({ url, key, model }: FalPlan): Promise<Inspected> {
  const server = upstream(url, { authorization: `Key ${key}` });
  try {
    const [owner, app] = model.split('/');
    const path = `/${owner}/${app}/requests/00000000-0000-0000-0000-000000000000/status`;
    const signal = AbortSignal.timeout(inspectMs);
    const answer = await server.answer({ path, signal, timeoutMs: inspectMs });
    const error = answer.status === 200 || answer.status === 202 ? null : readServiceFailure(answer);
    const isOfKey =
      error && [serviceFailures.keyRefused, serviceFailures.noCredit].some((row) => row === error.failure);
    if (error && (isOfKey || answer.status >= 500)) throw error;
    return {
      says: 'answers, the key is not refused; whether it has the model shows with the first job',
      missing: [],
    };
  } finally {
    await server.close();
  }
}
