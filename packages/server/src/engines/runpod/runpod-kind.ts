import { z } from 'zod';
import { Address, type EngineKind, EnvName, type Inspected, inspectMs, withKey } from '../engine-kind.ts';
import type { Polling } from '../poll-run.ts';
import { upstream } from '../upstream.ts';
import { type RunpodSettings, runpodClient } from './runpod-client.ts';
import { runpodEngine } from './runpod-engine.ts';

const Entry = z.strictObject({
  type: z.literal('runpod'),
  endpoint: Address,
  key_from: EnvName,
  jobs: z.int().min(1).max(256).default(8),
  execution_seconds: z.int().min(5).max(86_400).default(600),
  queue_seconds: z.int().min(10).max(86_400).default(600),
  private_results: z.boolean().default(false),
});

export interface RunpodPlan extends Omit<z.infer<typeof Entry>, 'key_from'>, RunpodSettings {
  /** Others than the usual ones, for tests. */
  polling?: Partial<Polling>;
}

/** A rented endpoint that runs the public ComfyUI worker. */
export const runpodKind: EngineKind<typeof Entry, RunpodPlan> = {
  title: 'RunPod',
  entry: Entry,
  runsWorkflows: true,
  readsWords: true,
  generates: true,
  withSecrets: withKey,
  open(plan) {
    const client = runpodClient(plan);
    return {
      limits: { waiting_seconds: plan.queue_seconds, running_seconds: plan.execution_seconds },
      engineFor: (route) => runpodEngine({ ...route, client, polling: plan.polling }),
    };
  },
  serversOf: ({ endpoint, key }) => [{ address: '', inspect: () => inspectEndpoint(endpoint, key) }],
};

async function inspectEndpoint(endpoint: string, key: string): Promise<Inspected> {
  const server = upstream(endpoint, { authorization: `Bearer ${key}` });
  try {
    await server.send({ path: '/health', signal: AbortSignal.timeout(inspectMs) });
    return { says: 'answers, the key is good', missing: [] };
  } finally {
    await server.close();
  }
}
