import { readdirSync } from 'node:fs';
import { type FamilyName, families } from '@guise/contract/families/families.ts';
import type { FilterKind } from '@guise/contract/filters.ts';
import { checkAgainstServer } from '../../workflow/object-info.ts';
import { type NamedWorkflow, ownWorkflow, readWorkflowFile } from '../../workflow/workflow-file.ts';
import { isAtLeast } from '../version.ts';
import { isForCommercialUse, type MissingParts, missingParts } from './missing-parts.ts';
import type { Inventory } from './read-inventory.ts';

/** For a family and a number of photos that several workflows make, the one that stands here first. */
const preferred = [
  // Made for one face: it holds the likeness better than an edit of the whole photo. Not for commercial use.
  'face-swap-instantid',
  // Made to keep each person of a group; four steps.
  'edit-qwen-2511',
  'multi-swap-qwen-lightning',
  // On small cards, and at the size of the result.
  'edit-klein',
  'multi-swap-qwen',
  'portrait-photomaker',
  'edit-qwen-2511-two-photos',
  'edit-qwen-2511-three-photos',
  'multi-swap-qwen-lightning-two-photos',
  'edit-klein-two-photos',
  'edit-klein-three-photos',
  'multi-swap-qwen-two-photos',
  'self-prompt-klein',
  // Large models first: small ones are for cards that have no room for them.
  'video-wan22-14b',
  'video-wan22',
  'video-wan22-14b-first-last',
  'video-wan21-first-last',
  'video-wan22-first-last',
];

/** A route of the operator's file, with the workflows that serve its families. */
export interface ChosenRoute {
  families: FamilyName[];
  /** The kinds of filters that its workflows are made for; null for all. */
  kinds: readonly FilterKind[] | null;
  workflows: NamedWorkflow[];
}

/** A workflow that the server cannot run, and the families that would be made with it if it could. */
export interface UnfitWorkflow extends MissingParts {
  workflow: NamedWorkflow;
  families: FamilyName[];
}

export interface WorkflowChoice {
  routes: ChosenRoute[];
  unfit: UnfitWorkflow[];
  /** Workflows that were not considered, because files of theirs are not for commercial use. */
  leftOut: NamedWorkflow[];
}

export interface ChoiceOptions {
  workflows?: readonly NamedWorkflow[];
  /** Whether to consider workflows whose files are not for commercial use. */
  nonCommercial?: boolean;
}

/** The workflows that come with Guise, the preferred ones first. */
export function referenceWorkflows(): NamedWorkflow[] {
  const rank = (name: string) => (preferred.includes(name) ? preferred.indexOf(name) : preferred.length);
  return readdirSync(new URL('.', ownWorkflow('x')))
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other))
    .map((name) => ({ name, file: readWorkflowFile(ownWorkflow(name)) }));
}

/** The best workflow that the server can run, for each family and number of photos; and what the others lack. */
export function chooseWorkflows(
  inventory: Inventory,
  { workflows: all = referenceWorkflows(), nonCommercial = false }: ChoiceOptions = {},
): WorkflowChoice {
  const workflows = all.filter(({ file }) => nonCommercial || isForCommercialUse(file));
  return {
    ...chooseAmong(workflows.map((workflow) => checkParts(inventory, workflow))),
    leftOut: all.filter((workflow) => !workflows.includes(workflow)),
  };
}

/** A workflow, and what a server lacks for it. */
export interface CheckedWorkflow {
  workflow: NamedWorkflow;
  lacks: MissingParts;
}

export function checkParts({ version, info }: Inventory, workflow: NamedWorkflow): CheckedWorkflow {
  const { needs, definition } = workflow.file;
  const lacks = missingParts(checkAgainstServer(info, definition), workflow);
  if (version !== null && !isAtLeast(version, needs.comfyui))
    lacks.others.push(`${workflow.name}: ComfyUI ${needs.comfyui} is needed, and the server has ${version}`);
  return { workflow, lacks };
}

export const canRun = ({ lacks }: CheckedWorkflow) => Object.values(lacks).every((list) => list.length === 0);

/** Of workflows in the order of preference, those that serve each family and number of photos. */
export function chooseAmong(checked: readonly CheckedWorkflow[]): Omit<WorkflowChoice, 'leftOut'> {
  const workflows = checked.map(({ workflow }) => workflow);
  const runs = checked.filter(canRun);
  const byFamily = families.flatMap(({ name }) => {
    const able = runs.map(({ workflow }) => workflow).filter(({ file }) => file.families.includes(name));
    return [...Map.groupBy(able, (workflow) => String(kindsOf(workflow))).values()].map((ofKinds) => ({
      family: name,
      kinds: kindsOf(ofKinds[0]!),
      workflows: [...Map.groupBy(ofKinds, photosOf).values()].map(([best]) => best!),
    }));
  });
  const routes = Map.groupBy(byFamily, (row) => [row.kinds, ...row.workflows.map(({ name }) => name)].join());
  /** Whether nothing that runs already serves the family, with as many photos, as well. */
  const isWanted = (workflow: NamedWorkflow, family: FamilyName) => {
    const serving = byFamily
      .filter((row) => row.family === family && String(row.kinds) === String(kindsOf(workflow)))
      .flatMap((row) => row.workflows);
    const rival = serving.find((one) => photosOf(one) === photosOf(workflow));
    const servesIt = workflow.file.families.includes(family);
    return servesIt && (!rival || workflows.indexOf(workflow) < workflows.indexOf(rival));
  };
  const unfit = checked
    .filter((row) => !runs.includes(row))
    .map(({ workflow, lacks }) => ({
      ...lacks,
      workflow,
      families: families.map(({ name }) => name).filter((name) => isWanted(workflow, name)),
    }));
  return {
    // The first route that fits a job serves it.
    routes: [...routes.values()]
      .map((rows) => ({
        families: rows.map(({ family }) => family),
        kinds: rows[0]!.kinds,
        workflows: rows[0]!.workflows,
      }))
      .toSorted((one, other) => Number(other.kinds !== null) - Number(one.kinds !== null)),
    unfit: unfit.filter((row) => row.families.length > 0),
  };
}

const kindsOf = ({ file }: NamedWorkflow) => file.kinds ?? null;

const photosOf = ({ file }: NamedWorkflow) => file.definition.bindings.photos.length;
