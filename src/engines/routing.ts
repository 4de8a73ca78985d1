import type { FilterDefinition } from '../contract/filters.ts';
import { cannotMake, type Engine } from './engine.ts';

type Kind = FilterDefinition['kind'] | null;

export function canMake({ abilities }: Pick<Engine, 'abilities'>, family: string, kind: Kind): boolean {
  return abilities.some(
    (ability) =>
      ability.family === family && (!ability.kinds || (kind !== null && ability.kinds.includes(kind))),
  );
}

/** When no engine makes this, the guest is told so instead of being left to wait. */
export const noEngine = () => cannotMake('This server has no engine for this kind of job yet.');

/** The first engine that makes this. */
export function engineFor(engines: readonly Engine[], family: string, kind: Kind): Engine {
  const engine = engines.find((candidate) => canMake(candidate, family, kind));
  if (!engine) throw noEngine();
  return engine;
}
