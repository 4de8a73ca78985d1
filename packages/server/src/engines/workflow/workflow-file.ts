import { readFileSync } from 'node:fs';
import { filterKinds, WorkflowDefinition } from '@guise/contract/filters.ts';
import { CommercialUse } from '@guise/contract/operator/engine-setup.ts';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { checkWorkflow } from './check.ts';

const WeightsFile = z.strictObject({
  file: z.string(),
  from: z.url(),
  size: z.string(),
  /** Its exact size and hash, where its publisher says them. */
  bytes: z.int().positive().optional(),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** Weights that do as well as those that a workflow names. */
const AlternativeFile = WeightsFile.extend({
  /** Where ComfyUI is at least this, they are the better ones to download. */
  comfyui: z.string().optional(),
});

const ModelFile = WeightsFile.extend({
  folder: z.string(),
  licence: z.string(),
  commercial: CommercialUse.default('ask'),
  /** Whether its publisher gives it only to accounts that accepted the licence. */
  gated: z.boolean().default(false),
  alternatives: z.array(AlternativeFile).default([]),
});
export type ModelFile = z.infer<typeof ModelFile>;

/** A workflow as an operator keeps it: what it makes, what its server must have, and the graph with its bindings. */
export const WorkflowFile = z.strictObject({
  name: z.string().min(1),
  about: z.string().min(1),
  families: z.array(z.string()).min(1),
  /** The kinds of filters that it is made for; without it, all. */
  kinds: z.array(z.enum(filterKinds)).min(1).optional(),
  needs: z.strictObject({
    comfyui: z.string(),
    custom_nodes: z.array(z.strictObject({ name: z.string(), url: z.url(), classes: z.array(z.string()) })),
    models: z.array(ModelFile),
    vram: z.string(),
  }),
  definition: WorkflowDefinition,
});
export type WorkflowFile = z.infer<typeof WorkflowFile>;

/** A workflow's file, by what a route calls it. */
export interface NamedWorkflow {
  name: string;
  file: WorkflowFile;
}

/** One of the reference workflows that come with Guise. */
export const ownWorkflow = (name: string) =>
  new URL(`../../../../../catalog/workflows/${name}.json`, import.meta.url);

/** The file's workflow; what is wrong with it is named with its place in the file. */
export function readWorkflowFile(path: string | URL): WorkflowFile {
  const name = path instanceof URL ? path.pathname : path;
  const refuse = (why: string, cause?: unknown) =>
    new AppError('BAD_SETTING', `The workflow ${name} cannot be used: ${why}.`, { cause });
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw refuse(cause instanceof SyntaxError ? 'it is no JSON' : 'it cannot be read', cause);
  }
  const parsed = WorkflowFile.safeParse(json);
  if (!parsed.success)
    throw refuse(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
  const problems = checkWorkflow(parsed.data.definition);
  if (problems.length > 0)
    throw refuse(problems.map(({ path: at, message }) => `definition.${at}: ${message}`).join('; '));
  return parsed.data;
}
