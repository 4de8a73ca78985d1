import type { NamedWorkflow, WorkflowFile } from '../../workflow/workflow-file.ts';
import type { UnfitWorkflow } from './choose-workflows.ts';
import { modelTerms } from './missing-parts.ts';

type Needs = WorkflowFile['needs'];

/** What a server needs to run a workflow, line by line. */
export function unfitLines({ workflow, families, models, packs, others }: UnfitWorkflow): string[] {
  return [
    '',
    `${workflow.name} (${workflow.file.needs.vram}), for ${families.join(', ')}, needs on the server:`,
    ...partLines(packs, models),
    ...others.map((sentence) => `  ${sentence}`),
  ];
}

/** The same of one that was not considered. */
export function leftOutLines({ name, file: { needs } }: NamedWorkflow): string[] {
  return [
    '',
    `${name} (${needs.vram}) is not for commercial use, and chosen only with --non-commercial. It needs:`,
    ...partLines(needs.custom_nodes, needs.models),
  ];
}

function partLines(packs: Needs['custom_nodes'], models: Needs['models']): string[] {
  return [
    ...packs.flatMap(({ name, url }) => [`  custom_nodes/${name}`, `    ${url}`]),
    ...models.flatMap((model) => [
      `  models/${model.folder}/${model.file}  (${modelTerms(model)})`,
      `    ${model.from}`,
    ]),
  ];
}
