import type { AnyParams, FamilyName } from '@guise/contract/families/families.ts';
import type { FilterDefinition, FilterKind } from '@guise/contract/filters.ts';
import type { AppError } from '../errors.ts';
import { isInShare } from '../ids.ts';
import { type Ability, cannotMake, type Engine } from './engine.ts';
import { asIfResumed } from './paused-engines.ts';

/** What of a request decides who makes it. */
export interface JobDemand {
  family: FamilyName;
  params: AnyParams;
  filter: FilterDefinition | null;
  filterRef: string | null;
  images: readonly string[];
  /** Whether its photos may not go to a company. */
  photosStay?: boolean | undefined;
  /** Of a job that was accepted. */
  jobId?: string;
}

/** The same as a job's row has it. Without a number of photos, nothing is known but the family. */
export interface JobNeeds {
  family: string;
  filter_kind: string | null;
  filter_ref: string | null;
  model: string | null;
  photo_count: number | null;
  /** 1 where its photos may not go to a company. */
  photos_stay: number | null;
}

export const needsOf = ({ family, params, filter, filterRef, images, photosStay }: JobDemand): JobNeeds => ({
  family,
  filter_kind: filter?.kind ?? null,
  filter_ref: filterRef,
  model: params.model ?? null,
  photo_count: images.length,
  photos_stay: photosStay ? 1 : 0,
});

/** A job that no engine makes fails with this sentence instead of waiting for ever. */
export const noEngine = () => cannotMake('This server has no engine for this kind of job yet.');

/** A job whose photos stay, and that only engines would make to which they would go. */
export const photosStayHere = () =>
  cannotMake('Photos stay on this installation here, and nothing on it makes this. Choose another style.');

/** Without the id of a job, engines that make only a share of the jobs make none. */
export function canMake({ abilities }: Pick<Engine, 'abilities'>, needs: JobNeeds, jobId?: string): boolean {
  return abilities.some((ability) => covers(ability, needs, jobId));
}

/** The first engine that makes this. */
export function engineFor(engines: readonly Engine[], demand: JobDemand): Engine {
  const engine = findEngine(engines, demand);
  if (!engine) throw missingEngine(engines, demand);
  return engine;
}

/** Why no engine makes this. */
export function missingEngine(engines: readonly Engine[], demand: JobDemand): AppError {
  const leaves = demand.photosStay && findEngine(engines, { ...demand, photosStay: false });
  return leaves ? photosStayHere() : noEngine();
}

/** A job that was claimed before its engine was paused still goes there. */
export function findEngine(engines: readonly Engine[], demand: JobDemand): Engine | undefined {
  const needs = needsOf(demand);
  return (
    engines.find((candidate) => canMake(candidate, needs, demand.jobId)) ??
    engines.find((candidate) => canMake(asIfResumed(candidate), needs, demand.jobId))
  );
}

/** As queues tell it in SQL. */
function covers(ability: Ability, needs: JobNeeds, jobId: string | undefined): boolean {
  const { family, filters, models, photos, photosLeave, share } = ability;
  const has = (list: readonly (string | number)[] | undefined, value: string | number | null) =>
    !list || (value !== null && list.includes(value));
  if (family !== needs.family || (photosLeave && needs.photos_stay === 1)) return false;
  if (share !== undefined && !(jobId !== undefined && isInShare(jobId, share))) return false;
  if (needs.photo_count === null) return true;
  return (
    coversKind(ability, needs.filter_kind) &&
    has(filters, needs.filter_ref) &&
    has(models, needs.model) &&
    has(photos, needs.photo_count)
  );
}

/** Without a kind, what is asked for has no filter. */
function coversKind({ kinds, exceptKinds }: Ability, kind: string | null): boolean {
  const has = (list: readonly string[]) => kind !== null && list.includes(kind);
  return (!kinds || has(kinds)) && !(exceptKinds && has(exceptKinds));
}

/** Whether anybody makes filters of this kind for this family. */
export function serves(
  engines: readonly Pick<Engine, 'abilities'>[],
  family: FamilyName,
  kind: FilterKind,
): boolean {
  return engines.some(({ abilities }) =>
    abilities.some((ability) => ability.family === family && coversKind(ability, kind)),
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

/** How many jobs of which families are taken on at once, and what of them. Engines of one name share their slots. */
export interface SlotGroup {
  families: ReadonlySet<string>;
  abilities: readonly Ability[];
  slots: number;
}

export function slotsOf(
  engines: readonly Pick<Engine, 'name' | 'slots' | 'abilities'>[],
  slots: number,
): SlotGroup[] {
  return [...Map.groupBy(engines, (engine) => engine.name).values()].map((group) => {
    const abilities = group.flatMap((engine) => engine.abilities);
    return {
      families: new Set(abilities.map((ability) => ability.family)),
      abilities,
      slots: group[0]!.slots ?? slots,
    };
  });
}
