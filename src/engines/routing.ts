import type { FilterDefinition } from '../contract/filters.ts';
import { cannotMake, type Engine } from './engine.ts';

/** The first engine that makes this; when there is none, the guest is told so instead of being left to wait. */
export function engineFor(
  engines: readonly Engine[],
  family: string,
  kind: FilterDefinition['kind'] | null,
): Engine {
  const engine = engines.find((candidate) =>
    candidate.abilities.some(
      (ability) =>
        ability.family === family && (!ability.kinds || (kind !== null && ability.kinds.includes(kind))),
    ),
  );
  if (!engine) throw cannotMake('This server has no engine for this kind of job yet.');
  return engine;
}
