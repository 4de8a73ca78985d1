import { z } from 'zod';
import { Address, type EngineKind, EnvName, type Inspected, inspectMs, withKey } from '../engine-kind.ts';
import { upstream } from '../upstream.ts';
import { type GuiseSettings, guiseClient } from './guise-client.ts';
import { guiseEngine } from './guise-engine.ts';

const Entry = z.strictObject({
  type: z.literal('guise'),
  url: Address,
  key_from: EnvName,
  jobs: z.int().min(1).max(256).default(8),
  patience_seconds: z.int().min(5).max(600).default(60),
  private_results: z.boolean().default(false),
});

export interface GuisePlan extends Omit<z.infer<typeof Entry>, 'key_from'>, GuiseSettings {}

/** Another Guise, or another service of the same interface. It has filters and workflows of its own. */
export const guiseKind: EngineKind<typeof Entry, GuisePlan> = {
  title: 'another Guise',
  entry: Entry,
  runsWorkflows: false,
  readsWords: false,
  generates: false,
  withSecrets: withKey,
  checkRoute({ workflow, nodes, prompt, waiting_seconds, running_seconds }) {
    const choices = [workflow, nodes, prompt, waiting_seconds, running_seconds];
    const isBare = choices.every((choice) => choice === undefined);
    return isBare ? null : 'another Guise has its own workflows, words and time limits';
  },
  open(plan) {
    const client = guiseClient(plan);
    return { engineFor: ({ name, abilities }) => guiseEngine({ name, abilities, client }) };
  },
  serversOf: ({ url, key }) => [{ address: new URL(url).host, inspect: () => inspectGuise(url, key) }],
};

async function inspectGuise(url: string, key: string): Promise<Inspected> {
  const server = upstream(url, { authorization: `Bearer ${key}` });
  try {
    const credits = {
      path: '/v1/users/me/credits',
      query: { limit: '1' },
      signal: AbortSignal.timeout(inspectMs),
    };
    const { balance } = await server.json(z.looseObject({ balance: z.number() }), credits);
    return { says: `answers, the key is good, ${balance} credits left`, missing: [] };
  } finally {
    await server.close();
  }
}
