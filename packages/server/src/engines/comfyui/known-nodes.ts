import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import type { FieldProblem } from '../../errors.ts';
import { checkAgainstServer, type ObjectInfo } from '../workflow/object-info.ts';
import { withFileNames } from './model-files.ts';
import type { ComfyuiServer, Servers } from './servers.ts';

const keptMs = 60_000;
const waitMs = 10_000;

/**
 * Holds a workflow against what each server says of its nodes: one that has everything is enough, since jobs move on
 * from servers that refuse them. Else it says what the server lacks that lacks least, and nothing when none answers.
 */
export function nodeChecks(servers: Servers): (definition: WorkflowDefinition) => Promise<FieldProblem[]> {
  const known = new Map<string, { at: number; info: ObjectInfo }>();
  const read = async ({ url, client, circuit }: ComfyuiServer): Promise<ObjectInfo | null> => {
    const kept = known.get(url);
    if (kept && performance.now() - kept.at < keptMs) return kept.info;
    if (circuit.state() === 'down') return null;
    const info = await client.objectInfo(AbortSignal.timeout(waitMs)).catch(() => null);
    if (info) known.set(url, { at: performance.now(), info });
    return info;
  };
  return async (definition) => {
    const checked = servers.list().map(async (server) => {
      const info = await read(server);
      return info && checkAgainstServer(info, withFileNames(definition, server.files ?? {}));
    });
    const found = (await Promise.all(checked)).filter((problems) => problems !== null);
    return found.reduce<FieldProblem[]>(
      (least, problems) => (problems.length < least.length ? problems : least),
      found[0] ?? [],
    );
  };
}
