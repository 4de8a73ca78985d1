import type { AnyParams, FamilyName } from '@guise/contract/families/families.ts';
import type { FilterDefinition, FilterKind } from '@guise/contract/filters.ts';
import { type Ability, cannotMake, type Engine } from './engine.ts';

/** What of a request decides who makes it. */
export interface JobDemand {
  family: FamilyName;
  params: AnyParams;
  filter: FilterDefinition | null;
  filterRef: string | null;
  images: readonly string[];
}

/** A job that no engine makes fails with this sentence instead of waiting for ever. */
export const noEngine = () => cannotMake('This server has no engine for this kind of job yet.');

export function canMake({ abilities }: Pick<Engine, 'abilities'>, demand: JobDemand): boolean {
  return abilities.some((ability) => covers(ability, demand));
}

/** The first engine that makes this. */
export function engineFor(engines: readonly Engine[], demand: JobDemand): Engine {
  const engine = engines.find((candidate) => canMake(candidate, demand));
  if (!engine) throw noEngine();
  return engine;
}

function covers({ family, kinds, filters, models, photos }: Ability, demand: JobDemand): boolean {
  const has = <T>(list: readonly T[] | undefined, value: T | null | undefined) =>
    !list || (value !== null && value !== undefined && list.includes(value));
  return (
    family === demand.family &&
    has(kinds, demand.filter?.kind) &&
    has(filters, demand.filterRef) &&
    has(models, demand.params.model) &&
    has(photos, demand.images.length)
  );
}

/** Whether anybody makes filters of this kind for this family. */
export function serves(
  engines: readonly Pick<Engine, 'abilities'>[],
  family: FamilyName,
  kind: FilterKind,
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
): { name: string; families: FamilyName[] }[] {
  return [...Map.groupBy(engines, (engine) => engine.name)].map(([name, group]) => ({
    name,
    families: [...new Set(group.flatMap(({ abilities }) => abilities.map((ability) => ability.family)))],
  }));
}

/** How many jobs of which families are taken on at once. Engines of one name share their slots. */
export interface SlotGroup {
  families: ReadonlySet<string>;
  slots: number;
}

export function slotsOf(engines: readonly Engine[], slots: number): SlotGroup[] {
  return [...Map.groupBy(engines, (engine) => engine.name).values()].map((group) => ({
    families: new Set(group.flatMap((engine) => engine.abilities.map((ability) => ability.family))),
    slots: group[0]!.slots ?? slots,
  }));
}
