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
import { accessHeaders } from './access.ts';
import { comfyuiClient } from './comfyui-client.ts';
import { comfyuiEngine } from './comfyui-engine.ts';
import { nodeChecks } from './known-nodes.ts';
import { type FileNames, withFileNames } from './model-files.ts';
import { remedyOf } from './remedy.ts';
import { comfyuiServers } from './servers.ts';
import { problemSentence } from './setup/missing-parts.ts';
import type { TimeLimits } from './time-limits.ts';
import { versionProblem } from './version.ts';

const HeaderName = z.string().regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header');

const Entry = z.strictObject({
  type: z.literal('comfyui'),
  servers: z
    .array(
      z.strictObject({
        url: Address,
        weight: z.number().positive().max(100).default(1),
        jobs: z.int().min(1).max(64).default(2),
        /** Credentials of a proxy in front of the server. */
        token_from: EnvName.optional(),
        basic_from: EnvName.optional(),
        headers_from: z.record(HeaderName, EnvName).optional(),
        /** Weights that the server has under other names than the workflows say, such as in a folder below. */
        files: z.record(z.string().min(1), z.string().min(1)).optional(),
        /** What an hour of its GPU costs, in US dollars. */
        gpu_hour_price: z.number().min(0).max(10_000).optional(),
      }),
    )
    .min(1),
});

interface PlannedComfyui {
  url: string;
  weight: number;
  jobs: number;
  /** With whatever lets requests through to the server. */
  headers: Record<string, string>;
  files?: FileNames | undefined;
  gpu_hour_price?: number | undefined;
}

export interface ComfyuiPlan {
  type: 'comfyui';
  servers: PlannedComfyui[];
  /** Others than the usual ones, for tests. */
  timeLimits?: Partial<TimeLimits>;
}

/** Servers of the operator's own, which share the jobs. */
export const comfyuiKind: EngineKind<typeof Entry, ComfyuiPlan> = {
  title: 'ComfyUI',
  entry: Entry,
  runsWorkflows: true,
  readsWords: true,
  generates: true,
  withSecrets({ type, servers }, readSecret) {
    const withHeaders = servers.map(({ token_from, basic_from, headers_from, ...server }, i) => ({
      ...server,
      headers: accessHeaders({ token_from, basic_from, headers_from }, (variable, field) =>
        readSecret(variable, `servers.${i}.${field}`),
      ),
    }));
    return { type, servers: withHeaders };
  },
  open({ servers: planned, timeLimits }) {
    const servers = comfyuiServers(planned, timeLimits);
    return {
      checkNodes: nodeChecks(servers),
      engineFor: (route) => comfyuiEngine({ ...route, servers }),
    };
  },
  serversOf: ({ servers }, workflows) =>
    servers.map((server) => ({
      address: new URL(server.url).host,
      inspect: () => inspectServer(server, workflows),
    })),
};

async function inspectServer(
  { url, headers, files = {} }: PlannedComfyui,
  workflows: readonly PlannedWorkflow[],
): Promise<Inspected> {
  const client = comfyuiClient(url, headers);
  try {
    const version = await client.version(AbortSignal.timeout(inspectMs)).catch((cause) => {
      throw new Error(`does not answer as ComfyUI: ${remedyOf(cause)}`, { cause });
    });
    const info = await client.objectInfo(AbortSignal.timeout(inspectMs));
    const tooOld = versionProblem(version);
    if (tooOld) throw new Error(tooOld);
    const problems = workflows.flatMap(({ definition, named }) =>
      checkAgainstServer(info, withFileNames(definition, files)).map((problem) =>
        problemSentence(problem, named),
      ),
    );
    const missing = [...new Set(problems)];
    const count = workflows.length === 1 ? '1 workflow needs' : `${workflows.length} workflows need`;
    const has = missing.length > 0 || workflows.length === 0 ? '' : `, everything that ${count}`;
    return { says: `answers, ${Object.keys(info).length} nodes${has}`, missing };
  } finally {
    await client.close();
  }
}
