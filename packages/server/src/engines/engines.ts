import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { createPromptWriter } from '../catalog/generator-prompt.ts';
import { ownFiltersFile } from '../catalog/own-catalog.ts';
import { installedPacks } from '../catalog/packs/installed-packs.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { type Ability, cannotMake, type Engine, type EngineRequest } from './engine.ts';
import type { OpenEngine } from './engine-kind.ts';
import { openEngine, sendsPhotosTo, traitsOf } from './engine-kinds.ts';
import type { EnginesPlan, RoutePlan } from './engines-file.ts';
import { withFallback } from './fallback.ts';
import { withIdentityCheck } from './identity.ts';
import { faceFinder, localEngine } from './local/local-engine.ts';
import { makePausable } from './paused-engines.ts';
import { photosStayHere } from './routing.ts';
import { runLimits, type WantedLimits } from './run-limits.ts';
import { withoutDeadEnds } from './workflow/output-path.ts';
import type { FindFaces } from './workflow/prepare.ts';

/** One engine for each route of the operator's file, in its order, and the local one after them. */
export function createEngines(
  config: Config,
  operatorPlan: EnginesPlan | null,
  { only, createLocal = () => localEngine(config) }: EngineChoice = {},
): Engine[] {
  const plan = narrowPlan(operatorPlan, only);
  if (!plan) return [createLocal()];
  const wantsLocal =
    plan.local || plan.routes.some(({ fallback, engine }) => fallback === 'local' || engine === 'local');
  const local = wantsLocal ? createLocal() : plan.routes.some(wantsFaces) ? faceFinder(config) : noLocal;
  const findFaces: FindFaces = (file, signal) => {
    if (!local.checkTemplate) throw cannotMake('This server has no engine that finds faces.');
    return local.checkTemplate(file, signal);
  };
  // Only what a route leads to: nobody closes the others.
  const opened = new Map<string, OpenEngine>();
  const remotes: Engine[] = [];
  const remoteOf = (name: string) => {
    const remote = opened.get(name) ?? openEngine(plan.engines[name]!, config);
    opened.set(name, remote);
    return remote;
  };
  const packs = installedPacks(config);
  const writePrompt = createPromptWriter(packs, loadCatalog(ownFiltersFile, packs));
  const localFor = (route: RoutePlan) => ({
    ...local,
    abilities: narrowed(local, route),
    close: async () => {},
  });
  const enginesOf = (route: RoutePlan, next: readonly Engine[]): Engine[] => {
    if (route.engine === 'local') return [localFor(route)];
    const remote = remoteOf(route.engine);
    const { runsWorkflows, readsWords } = traitsOf(plan.engines[route.engine]!);
    const engine = remote.engineFor({
      name: route.engine,
      abilities: runsWorkflows ? workflowAbilities(route) : wholeAbilities(route),
      workflowOf: workflowOf(route),
      limitsOf: (family) => runLimits(family, { ...remote.limits, ...limitsOf(route) }),
      findFaces,
      ...(route.nodes && { checkWorkflow: checksOf(route.nodes, remote) }),
    });
    remotes.push(engine);
    const company = sendsPhotosTo(plan.engines[route.engine]!);
    const marked = company === null ? engine : withPhotosLeaving(engine, company);
    const worded = readsWords ? withWords(marked, writePrompt, route.prompt ?? null) : marked;
    const checked = withIdentityOf(worded, route, local);
    if (!route.fallback) return [checked];
    if (route.fallback === 'next') return [withFallback(checked, standIns(next, route))];
    const standIn = withFallback(checked, standIns([localFor(route)], route));
    // What stands in for a company makes from the first what may not go there.
    return [{ ...standIn, hasFallback: true }, ...(company === null ? [] : [localFor(route)])];
  };
  const last = { ...local, abilities: plan.local ? local.abilities : [] };
  const made: Engine[] = [makePausable(last)];
  try {
    for (const route of plan.routes.toReversed()) {
      const [engine, ...others] = enginesOf(route, [...made]);
      if (route.share === undefined) made.unshift(...[engine!, ...others].map(makePausable));
      else if (makesSome(made, route)) made.unshift(makePausable(ofShare(engine!, route.share)));
      else throw noRest(route);
    }
  } catch (error) {
    for (const engine of [local, ...remotes]) engine.close().catch(() => {});
    throw error;
  }
  return made;
}

/** Whether faces are looked for in its pictures, or a workflow of the route, or one of a caller, may want the guest's. */
function wantsFaces({ workflows, nodes, likeness = 0 }: RoutePlan): boolean {
  return (
    likeness > 0 || nodes !== undefined || workflows.some(({ bindings }) => bindings.face ?? bindings.frame)
  );
}

/** Compares what a route makes with the photos, unless it says not to. */
function withIdentityOf(engine: Engine, route: RoutePlan, { findGuests, checkIdentity }: Engine): Engine {
  const { likeness: least = 0, fallback, workflows } = route;
  if (least === 0 || !checkIdentity) return engine;
  const hasSeed = (request: EngineRequest) => workflowOf(route)(request).bindings.seed !== undefined;
  // A service that takes no seed makes another picture every time.
  const varies = workflows.length > 0 ? hasSeed : () => true;
  const finder = { findGuests, check: checkIdentity };
  return withIdentityCheck(engine, { ...finder, least, varies, hasFallback: fallback !== undefined });
}

/** What the route says of its own. */
function limitsOf({ waiting_seconds, running_seconds }: RoutePlan): WantedLimits {
  return {
    ...(waiting_seconds !== undefined && { waiting_seconds }),
    ...(running_seconds !== undefined && { running_seconds }),
  };
}

/** An engine on trial gets a share of the jobs of its route. */
function ofShare(engine: Engine, share: number): Engine {
  return { ...engine, abilities: engine.abilities.map((ability) => ({ ...ability, share })) };
}

/** Whether these engines make something of what the route covers. */
const makesSome = (engines: readonly Engine[], { families }: RoutePlan) =>
  engines.some(({ abilities }) => abilities.some(({ family }) => families.includes(family)));

function standIns(engines: readonly Engine[], route: RoutePlan): readonly Engine[] {
  if (!makesSome(engines, route)) throw noFallback(route);
  return engines;
}

export interface EngineChoice {
  /** Names of engines; without it all of them. */
  only?: readonly string[] | undefined;
  createLocal?: () => Engine;
}

/** The operator's file, or what a worker that has only some engines needs of it. */
function narrowPlan(plan: EnginesPlan | null, only: readonly string[] | undefined): EnginesPlan | null {
  if (!only) return plan;
  const known = ['local', ...Object.keys(plan?.engines ?? {})];
  const unknown = only.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new AppError('USAGE', `There is no engine ${unknown.join(', ')}. There is: ${known.join(', ')}.`);
  return (
    plan && {
      ...plan,
      local: plan.local && only.includes('local'),
      routes: plan.routes.filter((route) => only.includes(route.engine)),
    }
  );
}

/** An engine whose photos go to a company: what stays is not for it, by whatever way it would come there. */
function withPhotosLeaving(engine: Engine, company: string): Engine {
  return {
    ...engine,
    sendsPhotosTo: company,
    abilities: engine.abilities.map((ability) => ({ ...ability, photosLeave: true })),
    run: async (request, context) => {
      if (request.photosStay) throw photosStayHere();
      return engine.run(request, context);
    },
  };
}

/** Adds what a workflow's text model is told: the prompt of the run, else the route's, else the catalog's words. */
function withWords(
  engine: Engine,
  write: ReturnType<typeof createPromptWriter>,
  routePrompt: string | null,
): Engine {
  return {
    ...engine,
    run: async (request, context) => {
      const worded = { ...request, prompt: request.prompt ?? routePrompt };
      return engine.run({ ...worded, words: await write(worded) }, context);
    },
  };
}

/** In its place where the operator wants none: its models take memory. */
const noLocal: Engine = {
  name: 'local',
  abilities: [],
  run: async () => {
    throw cannotMake('This server has no engine for this kind of job yet.');
  },
  close: async () => {},
};

/** What a route covers whose engine gets requests as they are. */
function wholeAbilities({ families, filters, kinds, models }: RoutePlan): Ability[] {
  return families.map((family) => ({
    family,
    ...(kinds && { kinds }),
    ...(filters && { filters }),
    ...(models && { models }),
  }));
}

/** What a route covers whose engine runs workflows. Callers' own are run by routes without a workflow. */
function workflowAbilities({ families, filters, kinds, models, workflows }: RoutePlan): Ability[] {
  const own = workflows.length === 0;
  return families.map((family) => ({
    family,
    // A route's own workflow is not what a caller's workflow asks for.
    ...(own ? { kinds: ['workflow' as const] } : kinds ? { kinds } : { exceptKinds: ['workflow' as const] }),
    ...(filters && { filters }),
    ...(models && { models }),
    ...(!own && { photos: [...new Set(workflows.map(({ bindings }) => bindings.photos.length))] }),
  }));
}

function narrowed(local: Engine, { families, filters, kinds, models }: RoutePlan): Ability[] {
  return local.abilities
    .filter(({ family }) => families.includes(family))
    .map((ability) => {
      const both = kinds && ability.kinds ? ability.kinds.filter((kind) => kinds.includes(kind)) : kinds;
      return {
        ...ability,
        ...(both && { kinds: both }),
        ...(filters && { filters }),
        ...(models && { models }),
      };
    })
    .filter((ability) => !ability.kinds || ability.kinds.length > 0);
}

/** The route's workflow for so many photos; for custom filters, the filter's own. */
function workflowOf({ workflows, nodes }: RoutePlan): (request: EngineRequest) => WorkflowDefinition {
  return ({ filter, images }) => {
    if (workflows.length > 0)
      return workflows.find(({ bindings }) => bindings.photos.length === images.length)!;
    if (filter?.kind !== 'workflow') throw cannotMake('This server has no workflow for this job.');
    const [foreign] = foreignNodes(filter, nodes ?? 'any');
    if (foreign) throw cannotMake(`This server does not run nodes of the class ${foreign[1]}.`);
    return filter;
  };
}

function checksOf(
  nodes: 'any' | readonly string[],
  { checkNodes }: OpenEngine,
): Engine['checkWorkflow'] & {} {
  return async (definition) => {
    const foreign = foreignNodes(definition, nodes).map(([id, name]) => ({
      path: `workflow.${id}.class_type`,
      message: `this server does not run nodes of the class ${name}, unless its operator adds it to "nodes" in the engines file`,
    }));
    return foreign.length > 0 ? foreign : ((await checkNodes?.(definition)) ?? []);
  };
}

/** Nodes that the operator does not let callers run: id and class. */
function foreignNodes(
  definition: WorkflowDefinition,
  allowed: 'any' | readonly string[],
): [string, string][] {
  return Object.entries(withoutDeadEnds(definition).workflow)
    .filter(([, node]) => allowed !== 'any' && !allowed.includes(node.class_type))
    .map(([id, node]) => [id, node.class_type]);
}

const noRest = ({ families }: RoutePlan) =>
  new AppError(
    'BAD_SETTING',
    `GUISE_ENGINES: a route of ${families.join(', ')} has a share, and no route after it makes the others.`,
  );

function noFallback({ families, fallback }: RoutePlan) {
  const whom =
    fallback === 'next' ? 'the next route, and none after it makes any' : 'local, which makes none';
  return new AppError(
    'BAD_SETTING',
    `GUISE_ENGINES: a route of ${families.join(', ')} falls back to ${whom} of it.`,
  );
}
