import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import type { EngineServer } from '@guise/contract/operator.ts';
import { z } from 'zod';
import { comfyuiClient } from './comfyui/comfyui-client.ts';
import { versionProblem } from './comfyui/version.ts';
import type { EnginesPlan, NamedWorkflow } from './engines-file.ts';
import { problemSentence } from './setup/missing-parts.ts';
import { upstream } from './upstream.ts';
import { checkAgainstServer } from './workflow/object-info.ts';

/** Something of the operator's file that can be checked: rejects with what is wrong with it. */
export interface Inspection {
  what: string;
  check(): Promise<string>;
}

const limitMs = 20_000;

/** Every server and endpoint of the file: whether it answers, and whether it has what its routes' workflows need. */
export function inspections(plan: EnginesPlan): Inspection[] {
  return Object.keys(plan.engines).flatMap((name) =>
    serversOf(plan, name).map(({ address, inspect }) => ({
      what: address === '' ? name : `${name} ${address}`,
      async check() {
        const { says, missing } = await inspect();
        if (missing.length > 0) throw new Error(`lacks something: ${missing.join('; ')}`);
        return says;
      },
    })),
  );
}

/** The same of one engine, as data. */
export function inspectServers(plan: EnginesPlan, name: string): Promise<EngineServer[]> {
  const servers = serversOf(plan, name).map(async ({ address, inspect }) => {
    try {
      const { says, missing } = await inspect();
      return { address, healthy: missing.length === 0, says, missing };
    } catch (error) {
      return {
        address,
        healthy: false,
        says: error instanceof Error ? error.message : String(error),
        missing: [],
      };
    }
  });
  return Promise.all(servers);
}

interface PlannedServer {
  /** Empty where an engine is one endpoint. */
  address: string;
  /** Rejects where it does not answer. */
  inspect(): Promise<{ says: string; missing: string[] }>;
}

function serversOf(plan: EnginesPlan, name: string): PlannedServer[] {
  const engine = plan.engines[name];
  if (!engine) return [];
  if (engine.type === 'guise')
    return [{ address: new URL(engine.url).host, inspect: () => inspectGuise(engine.url, engine.key) }];
  if (engine.type === 'runpod')
    return [{ address: '', inspect: () => inspectEndpoint(engine.endpoint, engine.key) }];
  const workflows = plan.routes
    .filter((route) => route.engine === name)
    .flatMap((route) => route.workflows.map((definition, i) => ({ definition, named: route.files?.[i] })));
  return engine.servers.map(({ url, token }) => ({
    address: new URL(url).host,
    inspect: () => inspectServer(url, token, workflows),
  }));
}

interface PlannedWorkflow {
  definition: WorkflowDefinition;
  /** Where it is from, where the plan was read from a file. */
  named: NamedWorkflow | undefined;
}

async function inspectServer(url: string, token: string | null, workflows: PlannedWorkflow[]) {
  const client = comfyuiClient(url, token ? { authorization: `Bearer ${token}` } : {});
  try {
    const info = await client.objectInfo(AbortSignal.timeout(limitMs));
    const tooOld = versionProblem(await client.version(AbortSignal.timeout(limitMs)));
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

async function inspectGuise(url: string, key: string) {
  const server = upstream(url, { authorization: `Bearer ${key}` });
  try {
    const credits = {
      path: '/v1/users/me/credits',
      query: { limit: '1' },
      signal: AbortSignal.timeout(limitMs),
    };
    const { balance } = await server.json(z.looseObject({ balance: z.number() }), credits);
    return { says: `answers, the key is good, ${balance} credits left`, missing: [] };
  } finally {
    await server.close();
  }
}

async function inspectEndpoint(endpoint: string, key: string) {
  const server = upstream(endpoint, { authorization: `Bearer ${key}` });
  try {
    await server.send({ path: '/health', signal: AbortSignal.timeout(limitMs) });
    return { says: 'answers, the key is good', missing: [] };
  } finally {
    await server.close();
  }
}
