import type { FamilyName } from '@guise/contract/families/families.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { createPromptWriter } from '../catalog/generator-prompt.ts';
import { ownFiltersFile } from '../catalog/own-catalog.ts';
import { installedPacks } from '../catalog/packs/installed-packs.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { comfyuiEngine } from './comfyui/comfyui-engine.ts';
import { nodeChecks } from './comfyui/known-nodes.ts';
import { comfyuiServers, type Servers } from './comfyui/servers.ts';
import type { TimeLimits } from './comfyui/time-limits.ts';
import { type Ability, cannotMake, type Engine, type EngineRequest } from './engine.ts';
import type { EnginesPlan, RoutePlan } from './engines-file.ts';
import { withFallback } from './fallback.ts';
import { type GuiseClient, guiseClient } from './guise/guise-client.ts';
import { guiseEngine } from './guise/guise-engine.ts';
import { faceFinder, localEngine } from './local/local-engine.ts';
import { runLimits, type WantedLimits } from './run-limits.ts';
import { type RunpodClient, runpodClient } from './runpod/runpod-client.ts';
import { type Polling, runpodEngine } from './runpod/runpod-engine.ts';
import type { FindFaces } from './workflow/prepare.ts';

/** One engine for each route of the operator's file, in its order, and the local one after them. */
export function createEngines(
  config: Config,
  operatorPlan: EnginesPlan | null,
  { only, createLocal = () => localEngine(config), timeLimits, polling }: EngineChoice = {},
): Engine[] {
  const plan = narrowPlan(operatorPlan, only);
  if (!plan) return [createLocal()];
  const wantsLocal = plan.local || plan.routes.some((route) => route.fallback ?? route.engine === 'local');
  const local = wantsLocal ? createLocal() : plan.routes.some(wantsFaces) ? faceFinder(config) : noLocal;
  const findFaces: FindFaces = (file, signal) => {
    if (!local.checkTemplate) throw cannotMake('This server has no engine that finds faces.');
    return local.checkTemplate(file, signal);
  };
  const groups = new Map<string, Servers | RunpodClient | GuiseClient>(
    Object.entries(plan.engines).map(([name, engine]) => [
      name,
      engine.type === 'guise'
        ? guiseClient(engine)
        : engine.type === 'comfyui'
          ? comfyuiServers(
              engine.servers.map(({ token, ...server }) => ({
                ...server,
                headers: token ? { authorization: `Bearer ${token}` } : {},
              })),
              timeLimits,
            )
          : runpodClient(engine),
    ]),
  );
  const packs = installedPacks(config);
  const writePrompt = createPromptWriter(packs, loadCatalog(ownFiltersFile, packs));
  const routed = plan.routes.map((route) => {
    if (route.engine === 'local')
      return { ...local, abilities: narrowed(local, route), close: async () => {} };
    const group = groups.get(route.engine)!;
    if ('copyFilter' in group) {
      const engine = guiseEngine({ name: route.engine, abilities: wholeFamiliesOf(route), client: group });
      return route.fallback ? withLocal(engine, local, route) : engine;
    }
    const options = {
      name: route.engine,
      abilities: abilitiesOf(route),
      workflowOf: workflowOf(route),
      limitsOf: (family: FamilyName) =>
        runLimits(family, { ...engineLimits(plan, route), ...limitsOf(route) }),
      findFaces,
      ...(route.nodes && { checkWorkflow: checksOf(route.nodes, group) }),
    };
    const engine =
      'list' in group
        ? comfyuiEngine({ ...options, servers: group })
        : runpodEngine({ ...options, client: group, polling });
    const worded = withWords(engine, writePrompt, route.prompt ?? null);
    return route.fallback ? withLocal(worded, local, route) : worded;
  });
  return [...routed, { ...local, abilities: plan.local ? local.abilities : [] }];
}

/** Whether a workflow of the route, or one of a caller, may want the face of a guest. */
function wantsFaces({ workflows, nodes }: RoutePlan): boolean {
  return nodes !== undefined || workflows.some(({ bindings }) => bindings.face ?? bindings.frame);
}

/** What an endpoint is rented for, unless a route says otherwise. */
function engineLimits({ engines }: EnginesPlan, route: RoutePlan): WantedLimits {
  const engine = engines[route.engine];
  if (engine?.type !== 'runpod') return {};
  return { waiting_seconds: engine.queue_seconds, running_seconds: engine.execution_seconds };
}

/** What the route says of its own. */
function limitsOf({ waiting_seconds, running_seconds }: RoutePlan): WantedLimits {
  return {
    ...(waiting_seconds !== undefined && { waiting_seconds }),
    ...(running_seconds !== undefined && { running_seconds }),
  };
}

function withLocal(engine: Engine, local: Engine, route: RoutePlan): Engine {
  if (narrowed(local, route).length === 0) throw noFallback(route);
  return withFallback(engine, local);
}

export interface EngineChoice {
  /** Names of engines; without it all of them. */
  only?: readonly string[] | undefined;
  createLocal?: () => Engine;
  /** Shorter ones, for tests. */
  timeLimits?: Partial<TimeLimits>;
  polling?: Partial<Polling>;
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

/** What a route to another Guise covers: it has filters and workflows of its own. */
function wholeFamiliesOf({ families, filters, kinds, models }: RoutePlan): Ability[] {
  return families.map((family) => ({
    family,
    ...(kinds && { kinds }),
    ...(filters && { filters }),
    ...(models && { models }),
  }));
}

/** What a route covers. Callers' own workflows are run by routes without a workflow. */
function abilitiesOf({ families, filters, kinds, models, workflows }: RoutePlan): Ability[] {
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
  group: Servers | RunpodClient,
): Engine['checkWorkflow'] & {} {
  const known = 'list' in group ? nodeChecks(group) : async () => [];
  return async (definition) => {
    const foreign = foreignNodes(definition, nodes).map(([id, name]) => ({
      path: `workflow.${id}.class_type`,
      message: `this server does not run nodes of the class ${name}, unless its operator adds it to "nodes" in the engines file`,
    }));
    return foreign.length > 0 ? foreign : known(definition);
  };
}

/** Nodes that the operator does not let callers run: id and class. */
function foreignNodes(
  { workflow }: WorkflowDefinition,
  allowed: 'any' | readonly string[],
): [string, string][] {
  return Object.entries(workflow)
    .filter(([, node]) => allowed !== 'any' && !allowed.includes(node.class_type))
    .map(([id, node]) => [id, node.class_type]);
}

function noFallback({ families }: RoutePlan) {
  return new AppError(
    'BAD_SETTING',
    `GUISE_ENGINES: a route of ${families.join(', ')} falls back to local, which makes none of it.`,
  );
}
