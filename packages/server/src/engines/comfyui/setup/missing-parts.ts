import type { ServerProblem } from '../../workflow/object-info.ts';
import type { ModelFile, NamedWorkflow, WorkflowFile } from '../../workflow/workflow-file.ts';

type NodePack = WorkflowFile['needs']['custom_nodes'][number];

/** What a server lacks for a workflow. */
export interface MissingParts {
  models: ModelFile[];
  packs: NodePack[];
  /** What no download helps against, as sentences. */
  others: string[];
}

/**
 * Sorts what a server would refuse by what is to be done about it. Where something is missing, every model is named that
 * the server does not show: those that only a missing node pack would list, and those that no node names, too.
 */
export function missingParts(problems: readonly ServerProblem[], named: NamedWorkflow): MissingParts {
  const packs = new Set<NodePack>();
  const others = new Set<string>();
  for (const problem of problems) {
    const pack = packOf(problem, named.file);
    if (pack) packs.add(pack);
    else if (!modelOf(problem, named.file)) others.add(problemSentence(problem, named));
  }
  const { needs } = named.file;
  const shown = shownFiles(problems, named.file);
  const models = problems.length === 0 ? [] : needs.models.filter(({ file }) => !shown.has(file));
  return { models, packs: [...packs], others: [...others] };
}

/** The files that nodes of the server's own offer as a choice. */
function shownFiles(problems: readonly ServerProblem[], { definition }: WorkflowFile): Set<unknown> {
  const unknown = new Set(problems.filter(isUnknownClass).map(({ node }) => node));
  const missing = new Set<unknown>(problems.map((problem) => problem.missing));
  const named = Object.entries(definition.workflow)
    .filter(([id]) => !unknown.has(id))
    .flatMap(([, { inputs }]) => Object.values(inputs));
  return new Set(named.filter((value) => !missing.has(value)));
}

const isUnknownClass = ({ path }: ServerProblem) => path.endsWith('.class_type');

/** Whether all that a workflow needs may be used commercially, as far as the licences say. */
export function isForCommercialUse({ needs }: WorkflowFile): boolean {
  return needs.models.every(({ commercial }) => commercial !== 'no');
}

export const isForAnyUse = ({ commercial }: Pick<ModelFile, 'commercial'>) => commercial === 'yes';

/** Size, licence and commercial use of a file. */
export function modelTerms({ size, licence, commercial }: ModelFile): string {
  return `${size}, ${licence}; commercial use: ${commercial}`;
}

/** A problem for the operator: workflow, node, input, what is wrong, and where what is missing comes from. */
export function problemSentence(problem: ServerProblem, named: NamedWorkflow | undefined): string {
  const { path, node, type, input, message } = problem;
  if (!named) return `${path}: ${message}`;
  const at = `${named.name}: node ${node} (${type})${input === undefined ? '' : `, input ${input}`}`;
  const model = modelOf(problem, named.file);
  if (model)
    return `${at}: ${message}; download it into models/${model.folder} from ${model.from} (${modelTerms(model)})`;
  const pack = packOf(problem, named.file);
  return `${at}: ${message}${pack ? `; install ${pack.name} into custom_nodes from ${pack.url}` : ''}`;
}

function modelOf({ missing }: ServerProblem, { needs }: WorkflowFile): ModelFile | undefined {
  return missing === undefined ? undefined : needs.models.find(({ file }) => file === missing);
}

function packOf(problem: ServerProblem, { needs }: WorkflowFile): NodePack | undefined {
  return isUnknownClass(problem)
    ? needs.custom_nodes.find(({ classes }) => classes.includes(problem.type))
    : undefined;
}

/** Models that no node names, so that a server does not say whether it has them. */
export function unseenModels({ definition, needs }: WorkflowFile): ModelFile[] {
  const named = new Set(Object.values(definition.workflow).flatMap(({ inputs }) => Object.values(inputs)));
  return needs.models.filter(({ file }) => !named.has(file));
}
