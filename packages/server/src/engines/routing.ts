import type { FilterDefinition } from '@guise/contract/filters.ts';
import { type Ability, cannotMake, type Engine, type EngineRequest } from './engine.ts';

/** What of a request decides who makes it. */
export type Wanted = Pick<EngineRequest, 'family' | 'filter' | 'filterRef' | 'images' | 'params'>;

/** When no engine makes this, the guest is told so instead of being left to wait. */
export const noEngine = () => cannotMake('This server has no engine for this kind of job yet.');

export function canMake({ abilities }: Pick<Engine, 'abilities'>, wanted: Wanted): boolean {
  return abilities.some((ability) => covers(ability, wanted));
}

/** The first engine that makes this. */
export function engineFor(engines: readonly Engine[], wanted: Wanted): Engine {
  const engine = engines.find((candidate) => canMake(candidate, wanted));
  if (!engine) throw noEngine();
  return engine;
}

function covers({ family, kinds, filters, models, photos }: Ability, wanted: Wanted): boolean {
  const has = <T>(list: readonly T[] | undefined, value: T | null | undefined) =>
    !list || (value !== null && value !== undefined && list.includes(value));
  return (
    family === wanted.family &&
    has(kinds, wanted.filter?.kind) &&
    has(filters, wanted.filterRef) &&
    has(models, wanted.params.model as string | undefined) &&
    has(photos, wanted.images.length)
  );
}

/** Whether anybody makes filters of this kind for this family. */
export function serves(
  engines: readonly Pick<Engine, 'abilities'>[],
  family: string,
  kind: FilterDefinition['kind'],
): boolean {
  return engines.some(({ abilities }) =>
    abilities.some(
      (ability) => ability.family === family && (!ability.kinds || ability.kinds.includes(kind)),
    ),
  );
}

/** What this server can make, engine by engine. */
export function familiesByEngine(
  engines: readonly Pick<Engine, 'name' | 'abilities'>[],
): { name: string; families: string[] }[] {
  return [...Map.groupBy(engines, (engine) => engine.name)].map(([name, group]) => ({
    name,
    families: [...new Set(group.flatMap(({ abilities }) => abilities.map((ability) => ability.family)))],
  }));
}

/** Who takes on how many jobs of which families at once. Engines of one name are one. */
export interface Place {
  families: ReadonlySet<string>;
  slots: number;
}

export function placesOf(engines: readonly Engine[], slots: number): Place[] {
  return [...Map.groupBy(engines, (engine) => engine.name).values()].map((group) => ({
    families: new Set(group.flatMap((engine) => engine.abilities.map((ability) => ability.family))),
    slots: group[0]!.slots ?? slots,
  }));
}
