import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import type { FieldProblem } from '../../errors.ts';
import { checkAgainstServer, type ObjectInfo } from '../workflow/object-info.ts';
import type { Servers } from './servers.ts';

const keptMs = 60_000;
const waitMs = 10_000;

/** Holds a workflow against what the first server that answers says of its nodes; finds nothing when none does. */
export function nodeChecks(servers: Servers): (definition: WorkflowDefinition) => Promise<FieldProblem[]> {
  let known: { at: number; info: ObjectInfo } | null = null;
  const read = async (): Promise<ObjectInfo | null> => {
    if (known && performance.now() - known.at < keptMs) return known.info;
    const limit = AbortSignal.timeout(waitMs);
    for (const { client, circuit } of servers.list()) {
      if (circuit.state() === 'down') continue;
      const info = await client.objectInfo(limit).catch(() => null);
      if (!info) continue;
      known = { at: performance.now(), info };
      return info;
    }
    return null;
  };
  return async (definition) => {
    const info = await read();
    return info ? checkAgainstServer(info, definition) : [];
  };
}
