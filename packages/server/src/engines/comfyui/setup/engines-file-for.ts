import { z } from 'zod';
import type { ObjectInfo } from '../../workflow/object-info.ts';
import type { Access } from '../access.ts';
import type { FileNames } from '../model-files.ts';
import { type ChosenRoute, referenceWorkflows } from './choose-workflows.ts';
import { familiesWithFilters, ownGraphClasses } from './own-graphs.ts';

/** A server as the engines file has it. */
export interface ServerOfFile {
  url: string;
  access: Access;
  /** Weights that it has under other names. */
  files?: FileNames;
  /** What an hour of its GPU costs, in US dollars. */
  gpuHourPrice?: number | undefined;
}

export interface WantedFile {
  /** Its name in the file. */
  engine: string;
  servers: readonly ServerOfFile[];
  routes: readonly ChosenRoute[];
  info: ObjectInfo;
  fallback: boolean;
}

/** What of an operator's file is looked at. Everything else of it stays as it is. */
const OperatorsFile = z.looseObject({
  engines: z.record(z.string(), z.looseObject({ type: z.string() })).default({}),
  routes: z.array(z.looseObject({ engine: z.string() })).default([]),
});
type RouteOfFile = z.infer<typeof OperatorsFile>['routes'][number];

/** What setup writes into a route, and nothing else: a route with more is the operator's own. */
const ownKeys = ['families', 'kinds', 'engine', 'workflow', 'fallback'];

/**
 * The file of `GUISE_ENGINES` for these servers. The operator's engines, and routes that were not written here, stay,
 * before the new ones: the first route that fits a job serves it. The last one is for workflows of custom filters.
 */
export function enginesFileFor(wanted: WantedFile, existing: unknown = {}): Record<string, unknown> {
  const { engine, routes, info, fallback } = wanted;
  const file = OperatorsFile.parse(existing);
  const kept = file.routes.filter((route) => !isOwnRoute(route, engine));
  const nodes = ownGraphClasses(info);
  const hasOwnGraphs = kept.some((route) => route.engine === engine && route.nodes !== undefined);
  return {
    ...file,
    engines: { ...file.engines, [engine]: engineOf(wanted, file.engines[engine]) },
    routes: [
      ...kept.filter((route) => route.nodes === undefined),
      ...routes.map((route) => routeOfFile(route, engine, fallback)),
      ...kept.filter((route) => route.nodes !== undefined),
      // A server that names no node of ComfyUI itself leaves nothing to allow.
      ...(hasOwnGraphs || nodes.length === 0 ? [] : [{ families: familiesWithFilters, engine, nodes }]),
    ],
  };
}

export const routeOfFile = (
  { families, kinds, workflows }: ChosenRoute,
  engine: string,
  fallback: boolean,
): RouteOfFile => ({
  families,
  ...(kinds && { kinds }),
  engine,
  workflow: workflows.map(({ name }) => name),
  ...(fallback && { fallback: 'local' }),
});

const EngineOfFile = z.looseObject({
  type: z.string(),
  servers: z.array(z.looseObject({ url: z.string() })).default([]),
});

/** What the operator said of a server, such as its weight, stays; servers that were not asked now stay, too. */
function engineOf({ servers }: WantedFile, existing: unknown): object {
  const before = EngineOfFile.catch({ type: 'comfyui', servers: [] }).parse(existing);
  const sameUrl = (one: string, other: string) => one.replace(/\/$/, '') === other.replace(/\/$/, '');
  const asked = servers.map(({ url, access, files = {}, gpuHourPrice }) => {
    const { files: _, ...said } = before.servers.find((one) => sameUrl(one.url, url)) ?? { url };
    return {
      ...said,
      ...access,
      ...(Object.keys(files).length > 0 && { files }),
      ...(gpuHourPrice !== undefined && { gpu_hour_price: gpuHourPrice }),
    };
  });
  const others = before.servers.filter((one) => !servers.some(({ url }) => sameUrl(one.url, url)));
  return { ...before, type: 'comfyui', servers: [...asked, ...others] };
}

function isOwnRoute(route: RouteOfFile, engine: string): boolean {
  const known = new Set(referenceWorkflows().map(({ name }) => name));
  const names = [route.workflow].flat();
  return (
    route.engine === engine &&
    Object.keys(route).every((key) => ownKeys.includes(key)) &&
    names.every((name) => typeof name === 'string' && known.has(name))
  );
}

/** With the lists of nodes, which are long, on one line each. */
export function formatEnginesFile(file: object): string {
  return `${JSON.stringify(file, null, 2).replace(/"nodes": \[[^\]]*\]/g, (list) => list.replace(/\s+/g, ' '))}\n`;
}
