import type { EngineServer } from '@guise/contract/operator/operator.ts';
import type { PlannedServer } from './engine-kind.ts';
import { serversOf } from './engine-kinds.ts';
import type { EnginesPlan } from './engines-file.ts';

/** Something of the operator's file that can be checked: rejects with what is wrong with it. */
export interface Inspection {
  what: string;
  check(): Promise<string>;
}

/** Every server and endpoint of the file: whether it answers, and whether it has what its routes' workflows need. */
export function inspections(plan: EnginesPlan): Inspection[] {
  return Object.keys(plan.engines).flatMap((name) =>
    plannedServers(plan, name).map(({ address, inspect }) => ({
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
  const servers = plannedServers(plan, name).map(async ({ address, inspect }) => {
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

function plannedServers(plan: EnginesPlan, name: string): PlannedServer[] {
  const engine = plan.engines[name];
  if (!engine) return [];
  const workflows = plan.routes
    .filter((route) => route.engine === name)
    .flatMap((route) => route.workflows.map((definition, i) => ({ definition, named: route.files?.[i] })));
  return serversOf(engine, workflows);
}
