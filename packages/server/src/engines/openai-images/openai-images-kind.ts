import { z } from 'zod';
import { type EngineKind, EnvName, type Inspected, inspectMs } from '../engine-kind.ts';
import { companyOf, hostedFields, photosLeaveProblem } from '../hosted/hosted-entry.ts';
import { readServiceFailure } from '../hosted/service-failures.ts';
import { upstream } from '../upstream.ts';
import { keyHeaders, openaiImagesClient } from './openai-images-client.ts';
import { openaiImagesEngine } from './openai-images-engine.ts';

const Dollars = z.number().min(0).max(10_000);

const Entry = z.strictObject({
  type: z.literal('openai_images'),
  ...hostedFields,
  key_from: EnvName.optional(),
  header: z.enum(['authorization', 'api-key']).default('authorization'),
  /** As Azure wants it: `{"api-version": "…"}`. */
  query: z.record(z.string(), z.string()).optional(),
  image_field: z.enum(['image[]', 'image']).default('image[]'),
  response_format: z.enum(['omit', 'b64_json']).default('omit'),
  size: z.enum(['any', 'standard', 'omit']).default('any'),
  megapixels: z.number().min(0.05).max(8).optional(),
  most_photos: z.int().min(0).max(16).default(16),
  seed_field: z.string().min(1).max(40).optional(),
  extra: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  sd_cpp: z.record(z.string(), z.unknown()).optional(),
  jobs: z.int().min(1).max(64).default(2),
  dollars_per_million: z.strictObject({ text: Dollars, image_in: Dollars, image_out: Dollars }).optional(),
});

export type OpenaiImagesPlan = Omit<z.infer<typeof Entry>, 'key_from'> & { key: string | null };

/** OpenAI's images interface: OpenAI itself, and the servers and proxies that speak it. */
export const openaiImagesKind: EngineKind<typeof Entry, OpenaiImagesPlan> = {
  title: 'a picture service',
  entry: Entry,
  runsWorkflows: false,
  readsWords: true,
  generates: true,
  withSecrets: ({ key_from, ...entry }, readSecret) => ({
    ...entry,
    key: key_from === undefined ? null : readSecret(key_from, 'key_from'),
  }),
  checkEntry: photosLeaveProblem,
  sendsPhotosTo: companyOf,
  open(plan) {
    const client = openaiImagesClient(plan);
    return { engineFor: (route) => openaiImagesEngine({ ...route, client, choices: plan }) };
  },
  serversOf: (plan) => [{ address: new URL(plan.url).host, inspect: () => inspectService(plan) }],
};

const Models = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.string(), shutdown_date: z.string().nullable().optional().catch(undefined) }),
  ),
});

/** Asks for the list of models, which costs nothing and takes no photo. */
async function inspectService(plan: OpenaiImagesPlan): Promise<Inspected> {
  const server = upstream(plan.url, keyHeaders(plan));
  try {
    const signal = AbortSignal.timeout(inspectMs);
    const answer = await server.answer({
      path: '/models',
      ...(plan.query && { query: plan.query }),
      signal,
      timeoutMs: inspectMs,
    });
    if (answer.status === 404) return { says: 'answers; it does not list its models', missing: [] };
    if (answer.status !== 200) throw readServiceFailure(answer);
    const models = Models.safeParse(answer.body).data?.data ?? [];
    const found = models.find(({ id }) => id === plan.model);
    if (!found && models.length > 0)
      return { says: 'answers', missing: [`the model ${plan.model}: see "model" in the engines file`] };
    const ends = found?.shutdown_date ? `; ${plan.model} is shut down on ${found.shutdown_date}` : '';
    const key = plan.key === null ? '' : ', the key is good';
    return { says: `answers${key}${ends}`, missing: [] };
  } finally {
    await server.close();
  }
}
