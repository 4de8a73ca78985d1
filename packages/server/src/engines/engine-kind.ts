import type { FamilyName } from '@guise/contract/families/families.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { z } from 'zod';
import type { FieldProblem } from '../errors.ts';
import type { Ability, Engine, EngineRequest } from './engine.ts';
import type { RunLimits, WantedLimits } from './run-limits.ts';
import type { FindFaces } from './workflow/prepare.ts';
import type { NamedWorkflow } from './workflow/workflow-file.ts';

/**
 * A kind of remote engine: how the operator's file names one, and how it is called, checked and shown. The folder of the
 * kind has all of it; the table of kinds has one row for it.
 */
export interface EngineKind<Entry extends z.ZodObject, Plan> {
  /** As operators read it, in the middle of a sentence. */
  readonly title: string;
  /** An engine of this kind in the engines file. Its keys are in the environment: it names their variables. */
  readonly entry: Entry;
  /** Whether its routes name the workflows that it runs. Other kinds get requests as they are. */
  readonly runsWorkflows: boolean;
  /** Whether it is told what to make in words: then requests have `words`, and its routes may have a prompt. */
  readonly readsWords: boolean;
  /** Whether it draws people anew, so that its pictures are compared with the photos. */
  readonly generates: boolean;
  /** The entry with its keys in place. */
  withSecrets(entry: z.infer<Entry>, readSecret: ReadSecret): Plan;
  /** What the operator has to say of `photos_leave` before photos go there; null where it is said. */
  checkEntry?(entry: z.infer<Entry>): string | null;
  /** The company that gets the photos, as guests read it; null where they stay with whoever runs this installation. */
  sendsPhotosTo?(plan: Plan): string | null;
  /** What such an engine does not let its routes say; null where a route is good. */
  checkRoute?(route: RouteChoices): string | null;
  /** Opens what all routes to one engine share: connections, counts of running jobs, health checks. */
  open(plan: Plan, place: EnginePlace): OpenEngine;
  /** Its servers, as `guise doctor` and the operator's page check them. */
  serversOf(plan: Plan, workflows: readonly PlannedWorkflow[]): PlannedServer[];
}

/** Where engines are opened. */
export interface EnginePlace {
  /** The address that others reach this installation by; empty where it has none. */
  publicUrl: string;
}

/** Reads the environment variable that a field of an entry names. Throws where it is not set. */
export type ReadSecret = (variable: string, field: string) => string;

/** What a route says beside what it covers. */
export interface RouteChoices {
  workflow?: readonly string[] | undefined;
  nodes?: 'any' | readonly string[] | undefined;
  prompt?: string | undefined;
  waiting_seconds?: number | undefined;
  running_seconds?: number | undefined;
}

/** An engine of the operator's file while the process runs. */
export interface OpenEngine {
  /** The time limits of routes that have none of their own. */
  readonly limits?: WantedLimits;
  /** What its servers lack for a caller's workflow, where they say what they have. */
  checkNodes?(definition: WorkflowDefinition): Promise<FieldProblem[]>;
  /** The engine of one route. Each route's engine is closed: closing twice must do no harm. */
  engineFor(route: EngineRoute): Engine;
}

/** A route of the operator's file, for the engine that it leads to. */
export interface EngineRoute {
  /** The engine's name in the file. */
  name: string;
  abilities: readonly Ability[];
  limitsOf(family: FamilyName): RunLimits;
  /** The workflow for a request, for kinds that run workflows. */
  workflowOf(request: EngineRequest): WorkflowDefinition;
  findFaces: FindFaces;
  /** Only for routes that run callers' workflows. */
  checkWorkflow?(definition: WorkflowDefinition): Promise<FieldProblem[]>;
}

export interface PlannedServer {
  /** Empty where an engine is one endpoint. */
  address: string;
  /** Rejects where it does not answer. */
  inspect(): Promise<Inspected>;
}

export interface Inspected {
  says: string;
  missing: string[];
}

/** A workflow of a route. */
export interface PlannedWorkflow {
  definition: WorkflowDefinition;
  /** Where it is from, where the plan was read from a file. */
  named: NamedWorkflow | undefined;
}

/** For one answer of a server that is checked. */
export const inspectMs = 20_000;

export const EnvName = z.string().regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable');
export const Address = z.url({ protocol: /^https?$/, error: 'must be an http or https address' });

/** An entry with a key, as most kinds have it. */
export function withKey<Entry extends { key_from: string }>(
  { key_from, ...entry }: Entry,
  readSecret: ReadSecret,
): Omit<Entry, 'key_from'> & { key: string } {
  return { ...entry, key: readSecret(key_from, 'key_from') };
}
