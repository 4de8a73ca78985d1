import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type FamilyName, familyNames, findFamily } from '@guise/contract/families/families.ts';
import { filterKinds, type WorkflowDefinition } from '@guise/contract/filters.ts';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { ReadSecret } from './engine-kind.ts';
import { EngineEntry, type EnginePlan, entryProblem, traitsOf, withSecrets } from './engine-kinds.ts';
import { type NamedWorkflow, ownWorkflow, readWorkflowFile } from './workflow/workflow-file.ts';

const Name = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a name such as studio-gpus');
const listOf = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).min(1), item.transform((one) => [one])]);

const RouteOfFile = z
  .strictObject({
    families: listOf(z.string()),
    filters: z
      .array(z.union([z.int().transform(String), z.uuid().transform((id) => id.toLowerCase())]))
      .min(1)
      .optional(),
    kinds: z.array(z.enum(filterKinds)).min(1).optional(),
    models: z.array(z.string()).min(1).optional(),
    engine: z.string(),
    workflow: listOf(z.string().min(1)).optional(),
    nodes: z.union([z.literal('any'), z.array(z.string()).min(1)]).optional(),
    /** The words for filters that have none of their own. */
    prompt: z.string().min(1).max(2000).optional(),
    /** Who makes what the engine could not: this machine, or whoever the next route that fits leads to. */
    fallback: z.enum(['local', 'next']).optional(),
    /** Only of this share of the jobs that it covers; the others go on to the next route that fits. */
    share: z.number().min(0.001).max(0.999).optional(),
    /** How long a job may wait at the server for its turn, and how long it may run there. */
    waiting_seconds: z.int().min(5).max(86_400).optional(),
    running_seconds: z.int().min(5).max(86_400).optional(),
    /** Who is less like their photo than this, in a generated picture, is taken for somebody else; 0: not compared. */
    likeness: z.number().min(0).max(1).optional(),
  })
  .refine(
    (route) => route.engine !== 'local' || (route.workflow ?? route.nodes ?? route.fallback) === undefined,
    {
      error: 'the local engine runs no workflows and needs no fallback',
      path: ['engine'],
    },
  )
  .refine(
    (route) => route.engine !== 'local' || (route.waiting_seconds ?? route.running_seconds) === undefined,
    {
      error: 'the time limits of a route are for servers',
      path: ['engine'],
    },
  )
  .refine((route) => route.engine !== 'local' || route.likeness === undefined, {
    error: 'the local engine draws nobody anew: nothing is compared',
    path: ['likeness'],
  })
  .refine((route) => !(route.workflow && route.nodes), {
    error: 'a route has a workflow of its own or runs those of custom filters, not both',
    path: ['nodes'],
  });
type RouteOfFile = z.infer<typeof RouteOfFile>;

/**
 * Photos of one person are at least 0.54 alike (31 pairs, grimaces and half profiles among them), and what the local engine
 * makes of them at least 0.92. Of 240 pairs of different people 200 are below 0.5.
 */
const usualLikeness = 0.5;

const EnginesFile = z.strictObject({
  engines: z.record(Name, EngineEntry),
  routes: z.array(RouteOfFile),
  /** Whether the local engine makes what no route names. */
  local: z.boolean().default(true),
});
type EnginesFile = z.infer<typeof EnginesFile>;

export type RoutePlan = Omit<RouteOfFile, 'families' | 'workflow'> & {
  families: FamilyName[];
  workflows: WorkflowDefinition[];
  /** The files that the workflows are from, in the same order. */
  files?: NamedWorkflow[];
};

/** The operator's engines and what each makes, with keys and workflows in place. */
export interface EnginesPlan {
  engines: Record<string, EnginePlan>;
  routes: RoutePlan[];
  local: boolean;
}

/** The operator's engines, or null where everything is made on this machine. */
export function readEnginesPlan(
  { enginesFile }: Pick<Config, 'enginesFile'>,
  env: NodeJS.ProcessEnv,
): EnginesPlan | null {
  return enginesFile === '' ? null : readEnginesFile(enginesFile, env);
}

/** Reads the file of `GUISE_ENGINES`. Everything wrong in it is named with its place in the file. */
export function readEnginesFile(path: string, env: NodeJS.ProcessEnv): EnginesPlan {
  const file = resolve(path);
  const refuse: Refuse = (why, cause) =>
    new AppError('BAD_SETTING', `GUISE_ENGINES: ${file} cannot be used: ${why}.`, { cause });
  const { engines, routes, local } = parseFile(file, refuse);
  for (const [name, entry] of Object.entries(engines)) {
    const problem = entryProblem(entry);
    if (problem) throw refuse(`engines.${name}.photos_leave: ${problem}`);
  }
  const known = routes.map((route, i) => {
    const at = `routes.${i}`;
    const families = familiesOf(route, at, refuse);
    checkRoute(route, engines, at, refuse);
    return { ...route, families };
  });
  const stored = readStoredKeys(dirname(file), refuse);
  const secretsOf =
    (engine: string): ReadSecret =>
    (variable, field) => {
      const value = env[variable]?.trim() || stored[variable];
      if (!value)
        throw refuse(`engines.${engine}.${field} names ${variable}, which is not set in the environment`);
      return value;
    };
  const workflow = (name: string): NamedWorkflow => ({
    name,
    file: readWorkflowFile(
      name.includes('/') || name.endsWith('.json') ? resolve(dirname(file), name) : ownWorkflow(name),
    ),
  });
  return {
    local,
    engines: Object.fromEntries(
      Object.entries(engines).map(([name, entry]) => [name, withSecrets(entry, secretsOf(name))]),
    ),
    routes: known.map(({ workflow: names = [], ...route }) => {
      const files = names.map(workflow);
      const entry = engines[route.engine];
      const likeness = route.likeness ?? (entry && traitsOf(entry).generates ? usualLikeness : 0);
      return { ...route, likeness, workflows: files.map((named) => named.file.definition), files };
    }),
  };
}

/** Beside the file: keys that operators have typed into the studio. The environment decides over them. */
export const storedKeysFile = 'engine-keys.json';
export const StoredKeys = z.record(z.string(), z.string());

function readStoredKeys(folder: string, refuse: Refuse): z.infer<typeof StoredKeys> {
  const file = join(folder, storedKeysFile);
  try {
    return StoredKeys.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw refuse(`${file} cannot be read`, cause);
  }
}

type Refuse = (why: string, cause?: unknown) => AppError;

function parseFile(file: string, refuse: Refuse): EnginesFile {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw refuse(
      cause instanceof SyntaxError ? `it is no JSON: ${cause.message}` : 'it cannot be read',
      cause,
    );
  }
  const parsed = EnginesFile.safeParse(json);
  if (parsed.success) return parsed.data;
  throw refuse(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
}

/** Whether the engine that a route names is there, and lets the route say what it says. */
function checkRoute(route: RouteOfFile, engines: EnginesFile['engines'], at: string, refuse: Refuse): void {
  const entry = engines[route.engine];
  if (route.engine === 'local') return;
  if (!entry) throw unknown(refuse, `${at}.engine`, route.engine, [...Object.keys(engines), 'local']);
  const { title, runsWorkflows, readsWords, generates, checkRoute: findProblem } = traitsOf(entry);
  const problem = findProblem?.(route);
  if (problem) throw refuse(`${at}: ${problem}`);
  const hasWorkflow = (route.workflow ?? route.nodes) !== undefined;
  if (runsWorkflows && !hasWorkflow)
    throw refuse(
      `${at}.workflow: is needed: name a workflow, or "nodes" to run the workflows of custom filters`,
    );
  if (!runsWorkflows && hasWorkflow) throw refuse(`${at}.workflow: ${title} runs no workflows`);
  if (!generates && route.likeness !== undefined)
    throw refuse(`${at}.likeness: pictures of ${title} are not compared with the photos here`);
  if (!readsWords && route.prompt !== undefined) throw refuse(`${at}.prompt: ${title} is not told any words`);
}

function familiesOf(route: RouteOfFile, at: string, refuse: Refuse): FamilyName[] {
  return route.families.map((name) => {
    const family = findFamily(name);
    if (!family) throw unknown(refuse, `${at}.families`, name, familyNames);
    if (family.output === 'loop' && route.engine !== 'local')
      throw refuse(`${at}.families: ${name} is made by the local engine alone`);
    return family.name;
  });
}

const unknown = (refuse: Refuse, at: string, name: string, known: readonly string[]) =>
  refuse(`${at}: there is no ${name}; there are ${known.join(', ')}`);
