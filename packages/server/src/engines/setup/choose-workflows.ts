import { readdirSync } from 'node:fs';
import { type FamilyName, families } from '@guise/contract/families/families.ts';
import { isAtLeast } from '../comfyui/version.ts';
import type { NamedWorkflow } from '../engines-file.ts';
import { checkAgainstServer } from '../workflow/object-info.ts';
import { ownWorkflow, readWorkflowFile } from '../workflow/workflow-file.ts';
import { type MissingParts, missingParts } from './missing-parts.ts';
import type { Inventory } from './read-inventory.ts';

/** For a family and a number of photos that several workflows make, the one that stands here first. */
const preferred = [
  // Made for one face: it holds the likeness better than an edit of the whole photo.
  'face-swap-instantid',
  'multi-swap-qwen',
];

/** A route of the operator's file, with the workflows that serve its families. */
export interface ChosenRoute {
  families: FamilyName[];
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
  { version, info }: Inventory,
  workflows: readonly NamedWorkflow[] = referenceWorkflows(),
): WorkflowChoice {
  const checked = workflows.map((workflow) => {
    const { needs, definition } = workflow.file;
    const lacks = missingParts(checkAgainstServer(info, definition), workflow);
    if (version !== null && !isAtLeast(version, needs.comfyui))
      lacks.others.push(
        `${workflow.name}: ComfyUI ${needs.comfyui} is needed, and the server has ${version}`,
      );
    return { workflow, lacks };
  });
  const runs = checked.filter(({ lacks }) => Object.values(lacks).every((list) => list.length === 0));
  const byFamily = families.map(({ name }) => {
    const able = runs.map(({ workflow }) => workflow).filter(({ file }) => file.families.includes(name));
    return { family: name, workflows: [...Map.groupBy(able, photosOf).values()].map(([best]) => best!) };
  });
  const routes = Map.groupBy(
    byFamily.filter((row) => row.workflows.length > 0),
    (row) => row.workflows.map(({ name }) => name).join(),
  );
  /** Whether nothing that runs already serves the family, with as many photos, as well. */
  const isWanted = (workflow: NamedWorkflow, family: FamilyName) => {
    const { workflows: serving } = byFamily.find((row) => row.family === family)!;
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
    routes: [...routes.values()].map((rows) => ({
      families: rows.map(({ family }) => family),
      workflows: rows[0]!.workflows,
    })),
    unfit: unfit.filter((row) => row.families.length > 0),
  };
}

const photosOf = ({ file }: NamedWorkflow) => file.definition.bindings.photos.length;

/** The file of `GUISE_ENGINES` for one server. */
export function enginesFileFor(
  { routes }: WorkflowChoice,
  { url, tokenFrom, fallback }: { url: string; tokenFrom: string | undefined; fallback: boolean },
): object {
  const engine = 'gpu';
  return {
    engines: {
      [engine]: { type: 'comfyui', servers: [{ url, ...(tokenFrom && { token_from: tokenFrom }) }] },
    },
    routes: routes.map(({ families: made, workflows }) => ({
      families: made,
      engine,
      workflow: workflows.map(({ name }) => name),
      ...(fallback && { fallback: 'local' }),
    })),
  };
}
