import type { NamedWorkflow } from '../engines-file.ts';
import type { ServerProblem } from '../workflow/object-info.ts';
import type { WorkflowFile } from '../workflow/workflow-file.ts';

type Model = WorkflowFile['needs']['models'][number];
type NodePack = WorkflowFile['needs']['custom_nodes'][number];

/** What a server lacks for a workflow. */
export interface MissingParts {
  models: Model[];
  packs: NodePack[];
  /** What no download helps against, as sentences. */
  others: string[];
}

/** Sorts what a server would refuse by what is to be done about it. */
export function missingParts(problems: readonly ServerProblem[], named: NamedWorkflow): MissingParts {
  const models = new Set<Model>();
  const packs = new Set<NodePack>();
  const others = new Set<string>();
  for (const problem of problems) {
    const model = modelOf(problem, named.file);
    const pack = packOf(problem, named.file);
    if (model) models.add(model);
    else if (pack) packs.add(pack);
    else others.add(problemSentence(problem, named));
  }
  return { models: [...models], packs: [...packs], others: [...others] };
}

/** A problem for the operator: workflow, node, input, what is wrong, and where what is missing comes from. */
export function problemSentence(problem: ServerProblem, named: NamedWorkflow | undefined): string {
  const { path, node, type, input, message } = problem;
  if (!named) return `${path}: ${message}`;
  const at = `${named.name}: node ${node} (${type})${input === undefined ? '' : `, input ${input}`}`;
  const model = modelOf(problem, named.file);
  if (model)
    return `${at}: ${message}; download it into models/${model.folder} from ${model.from} (${model.size}, ${model.licence})`;
  const pack = packOf(problem, named.file);
  return `${at}: ${message}${pack ? `; install ${pack.name} into custom_nodes from ${pack.url}` : ''}`;
}

function modelOf({ missing }: ServerProblem, { needs }: WorkflowFile): Model | undefined {
  return missing === undefined ? undefined : needs.models.find(({ file }) => file === missing);
}

function packOf({ type, path }: ServerProblem, { needs }: WorkflowFile): NodePack | undefined {
  return path.endsWith('.class_type')
    ? needs.custom_nodes.find(({ classes }) => classes.includes(type))
    : undefined;
}

/** Models that no node names, so that a server does not say whether it has them. */
export function unseenModels({ definition, needs }: WorkflowFile): Model[] {
  const named = new Set(Object.values(definition.workflow).flatMap(({ inputs }) => Object.values(inputs)));
  return needs.models.filter(({ file }) => !named.has(file));
}
