import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type FamilyName, familyNames, findFamily } from '@guise/contract/families/families.ts';
import { filterKinds, type WorkflowDefinition } from '@guise/contract/filters.ts';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import { ownWorkflow, readWorkflowFile, type WorkflowFile } from './workflow/workflow-file.ts';

const Name = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be a name such as studio-gpus');
const EnvName = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable');
const Address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });
const listOf = <T extends z.ZodType>(item: T) =>
  z.union([z.array(item).min(1), item.transform((one) => [one])]);

const Comfyui = z.strictObject({
  type: z.literal('comfyui'),
  servers: z
    .array(
      z.strictObject({
        url: Address,
        weight: z.number().positive().max(100).default(1),
        jobs: z.int().min(1).max(64).default(2),
        token_from: EnvName.optional(),
      }),
    )
    .min(1),
});

const Runpod = z.strictObject({
  type: z.literal('runpod'),
  endpoint: Address,
  key_from: EnvName,
  jobs: z.int().min(1).max(256).default(8),
  execution_seconds: z.int().min(5).max(86_400).default(600),
  queue_seconds: z.int().min(10).max(86_400).default(600),
  private_results: z.boolean().default(false),
});

/** Another Guise, or another service of the same interface. */
const Guise = z.strictObject({
  type: z.literal('guise'),
  url: Address,
  key_from: EnvName,
  jobs: z.int().min(1).max(256).default(8),
  patience_seconds: z.int().min(5).max(600).default(60),
  private_results: z.boolean().default(false),
});

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
    fallback: z.literal('local').optional(),
    /** How long a job may wait at the server for its turn, and how long it may run there. */
    waiting_seconds: z.int().min(5).max(86_400).optional(),
    running_seconds: z.int().min(5).max(86_400).optional(),
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
  .refine((route) => !(route.workflow && route.nodes), {
    error: 'a route has a workflow of its own or runs those of custom filters, not both',
    path: ['nodes'],
  });

const EnginesFile = z.strictObject({
  engines: z.record(Name, z.discriminatedUnion('type', [Comfyui, Runpod, Guise])),
  routes: z.array(RouteOfFile),
  /** Whether the local engine makes what no route names. */
  local: z.boolean().default(true),
});

export type ComfyuiPlan = Omit<z.infer<typeof Comfyui>, 'servers'> & {
  servers: { url: string; weight: number; jobs: number; token: string | null }[];
};
export type RunpodPlan = Omit<z.infer<typeof Runpod>, 'key_from'> & { key: string };
export type GuisePlan = Omit<z.infer<typeof Guise>, 'key_from'> & { key: string };
export type RoutePlan = Omit<z.infer<typeof RouteOfFile>, 'families' | 'workflow'> & {
  families: FamilyName[];
  workflows: WorkflowDefinition[];
  /** The files that the workflows are from, in the same order. */
  files?: NamedWorkflow[];
};

/** A workflow's file, by what a route calls it. */
export interface NamedWorkflow {
  name: string;
  file: WorkflowFile;
}

/** The operator's engines and what each makes, with keys and workflows in place. */
export interface EnginesPlan {
  engines: Record<string, ComfyuiPlan | RunpodPlan | GuisePlan>;
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
  const refuse = (why: string, cause?: unknown) =>
    new AppError('BAD_SETTING', `GUISE_ENGINES: ${file} cannot be used: ${why}.`, { cause });
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
  if (!parsed.success)
    throw refuse(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  const { engines, routes, local } = parsed.data;

  const secret = (name: string, at: string) => {
    const value = env[name]?.trim();
    if (!value) throw refuse(`${at} names ${name}, which is not set in the environment`);
    return value;
  };
  const workflow = (name: string): NamedWorkflow => ({
    name,
    file: readWorkflowFile(
      name.includes('/') || name.endsWith('.json') ? resolve(dirname(file), name) : ownWorkflow(name),
    ),
  });
  const unknown = (at: string, name: string, known: readonly string[]) =>
    refuse(`${at}: there is no ${name}; there are ${known.join(', ')}`);
  const familyAt = (at: string, name: string) => {
    const family = findFamily(name);
    if (!family) throw unknown(at, name, familyNames);
    return family.name;
  };
  const engineNames = [...Object.keys(engines), 'local'];
  const known = routes.map((route, i) => {
    const families = route.families.map((name) => familyAt(`routes.${i}.families`, name));
    if (!engineNames.includes(route.engine)) throw unknown(`routes.${i}.engine`, route.engine, engineNames);
    const runsWorkflows = engines[route.engine] && engines[route.engine]!.type !== 'guise';
    const hasWorkflow = (route.workflow ?? route.nodes) !== undefined;
    if (runsWorkflows && !hasWorkflow)
      throw refuse(
        `routes.${i}.workflow: is needed: name a workflow, or "nodes" to run the workflows of custom filters`,
      );
    const ownChoices = [route.prompt, route.waiting_seconds, route.running_seconds];
    const hasOwnChoice = hasWorkflow || ownChoices.some((choice) => choice !== undefined);
    if (engines[route.engine]?.type === 'guise' && hasOwnChoice)
      throw refuse(`routes.${i}: another Guise has its own workflows, words and time limits`);
    return { ...route, families };
  });
  return {
    local,
    engines: Object.fromEntries(
      Object.entries(engines).map(([name, engine]) => {
        const at = `engines.${name}`;
        if (engine.type !== 'comfyui') {
          const { key_from, ...rest } = engine;
          return [name, { ...rest, key: secret(key_from, `${at}.key_from`) }];
        }
        const servers = engine.servers.map(({ token_from, ...server }, i) => ({
          ...server,
          token: token_from ? secret(token_from, `${at}.servers.${i}.token_from`) : null,
        }));
        return [name, { ...engine, servers }];
      }),
    ),
    routes: known.map(({ workflow: names = [], ...route }) => {
      const files = names.map(workflow);
      return { ...route, workflows: files.map((named) => named.file.definition), files };
    }),
  };
}
