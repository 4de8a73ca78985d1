import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { comfyuiClient } from './comfyui/comfyui-client.ts';
import type { EnginesPlan } from './engines-file.ts';
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
  return Object.entries(plan.engines).flatMap(([name, engine]) => {
    const workflows = plan.routes
      .filter((route) => route.engine === name)
      .flatMap((route) => route.workflows);
    if (engine.type === 'runpod')
      return [{ what: name, check: () => checkEndpoint(engine.endpoint, engine.key) }];
    return engine.servers.map(({ url, token }) => ({
      what: `${name} ${new URL(url).host}`,
      check: () => checkServer(url, token, workflows),
    }));
  });
}

async function checkServer(
  url: string,
  token: string | null,
  workflows: WorkflowDefinition[],
): Promise<string> {
  const client = comfyuiClient(url, token ? { authorization: `Bearer ${token}` } : {});
  try {
    const info = await client.objectInfo(AbortSignal.timeout(limitMs));
    const problems = workflows.flatMap((workflow) => checkAgainstServer(info, workflow));
    const said = [...new Set(problems.map(({ path, message }) => `${path}: ${message}`))];
    if (said.length > 0) throw new Error(`lacks something: ${said.join('; ')}`);
    return `answers, ${Object.keys(info).length} nodes, everything that ${workflows.length} workflows need`;
  } finally {
    await client.close();
  }
}

async function checkEndpoint(endpoint: string, key: string): Promise<string> {
  const server = upstream(endpoint, { authorization: `Bearer ${key}` });
  try {
    await server.send({ path: '/health', signal: AbortSignal.timeout(limitMs) });
    return 'answers, the key is good';
  } finally {
    await server.close();
  }
}
