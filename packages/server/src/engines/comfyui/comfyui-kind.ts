import { z } from 'zod';
import {
  Address,
  type EngineKind,
  EnvName,
  type Inspected,
  inspectMs,
  type PlannedWorkflow,
} from '../engine-kind.ts';
import { checkAgainstServer } from '../workflow/object-info.ts';
import { comfyuiClient } from './comfyui-client.ts';
import { comfyuiEngine } from './comfyui-engine.ts';
import { nodeChecks } from './known-nodes.ts';
import { comfyuiServers } from './servers.ts';
import { problemSentence } from './setup/missing-parts.ts';
import type { TimeLimits } from './time-limits.ts';
import { versionProblem } from './version.ts';

const Entry = z.strictObject({
  type: z.literal('comfyui'),
  servers: z
    .array(
      z.strictObject({
        url: Address,
        weight: z.number().positive().max(100).default(1),
        jobs: z.int().min(1).max(64).default(2),
        token_from: EnvName.optional(),
      }),
    )
    .min(1),
});

export interface ComfyuiPlan {
  type: 'comfyui';
  servers: { url: string; weight: number; jobs: number; token: string | null }[];
  /** Others than the usual ones, for tests. */
  timeLimits?: Partial<TimeLimits>;
}

/** Servers of the operator's own, which share the jobs. */
export const comfyuiKind: EngineKind<typeof Entry, ComfyuiPlan> = {
  title: 'ComfyUI',
  entry: Entry,
  runsWorkflows: true,
  readsWords: true,
  withSecrets({ type, servers }, readSecret) {
    const withTokens = servers.map(({ token_from, ...server }, i) => ({
      ...server,
      token: token_from ? readSecret(token_from, `servers.${i}.token_from`) : null,
    }));
    return { type, servers: withTokens };
  },
  open({ servers: planned, timeLimits }) {
    const servers = comfyuiServers(
      planned.map(({ token, ...server }) => ({ ...server, headers: headersWith(token) })),
      timeLimits,
    );
    return {
      checkNodes: nodeChecks(servers),
      engineFor: (route) => comfyuiEngine({ ...route, servers }),
    };
  },
  serversOf: ({ servers }, workflows) =>
    servers.map(({ url, token }) => ({
      address: new URL(url).host,
      inspect: () => inspectServer(url, token, workflows),
    })),
};

const headersWith = (token: string | null): Record<string, string> =>
  token ? { authorization: `Bearer ${token}` } : {};

async function inspectServer(
  url: string,
  token: string | null,
  workflows: readonly PlannedWorkflow[],
): Promise<Inspected> {
  const client = comfyuiClient(url, headersWith(token));
  try {
    const info = await client.objectInfo(AbortSignal.timeout(inspectMs));
    const tooOld = versionProblem(await client.version(AbortSignal.timeout(inspectMs)));
    if (tooOld) throw new Error(tooOld);
    const problems = workflows.flatMap(({ definition, named }) =>
      checkAgainstServer(info, definition).map((problem) => problemSentence(problem, named)),
    );
    const missing = [...new Set(problems)];
    const count = workflows.length === 1 ? '1 workflow needs' : `${workflows.length} workflows need`;
    const has = missing.length > 0 ? '' : `, everything that ${count}`;
    return { says: `answers, ${Object.keys(info).length} nodes${has}`, missing };
  } finally {
    await client.close();
  }
}
