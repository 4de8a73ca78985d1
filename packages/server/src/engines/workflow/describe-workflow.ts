import type { SuggestedBindings, WorkflowCheck } from '@guise/contract/definition-checks.ts';
import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { Bindings, type Place, Workflow } from '@guise/contract/workflow.ts';
import type { FieldProblem } from '../../errors.ts';
import { linkOf } from './link.ts';
import { nodesLeadingTo, nodesOfOutput } from './output-path.ts';

/** What is wrong with a workflow and its bindings. */
type Check = (definition: WorkflowDefinition) => Promise<FieldProblem[]>;

/** Texts of inputs are shown up to this length. */
const shownText = 200;

/** The nodes of a workflow for whoever binds the parts of a run to them, with the bindings that its nodes suggest. */
export async function describeWorkflow(
  workflow: Record<string, unknown>,
  check: Check,
): Promise<WorkflowCheck> {
  const parsed = Workflow.safeParse(workflow);
  if (!parsed.success) {
    const bindings = { photos: [], output: null };
    return { nodes: [], bindings, problems: shapeProblems(workflow, parsed.error.issues), left_out: [] };
  }
  const graph = parsed.data;
  const nodes = Object.entries(graph).map(([id, node]) => ({
    id,
    type: node.class_type,
    title: titleOf(node),
    inputs: Object.entries(node.inputs).map(([name, value]) =>
      linkOf(value) ? { name, linked: true } : { name, linked: false, value: shown(value) },
    ),
  }));
  const bindings = suggestBindings(graph);
  const problems = await problemsOf(graph, bindings, check);
  return { nodes, bindings, problems, left_out: deadEnds(graph, bindings.output) };
}

/** Nodes that runs leave out, because they do not lead to the result. */
function deadEnds(graph: Workflow, output: string | null): string[] {
  if (output === null) return [];
  const leading = nodesOfOutput(graph, output);
  return Object.entries(graph)
    .filter(([id]) => !leading.has(id))
    .map(([id, node]) => `Node ${id} (${node.class_type}) does not lead to the result and is left out.`);
}

function shapeProblems(
  workflow: Record<string, unknown>,
  issues: readonly { path: PropertyKey[]; message: string }[],
): string[] {
  if (Array.isArray(workflow.nodes) && Array.isArray(workflow.links)) {
    return [
      'This file was saved for the editor of ComfyUI. Export it with "Export (API)" and drop that file here.',
    ];
  }
  return issues.slice(0, 20).map(({ path, message }) => `${path.join('.') || 'The workflow'}: ${message}.`);
}

async function problemsOf(graph: Workflow, bindings: SuggestedBindings, check: Check): Promise<string[]> {
  const missing = [
    ...(bindings.photos.length === 0 ? ['No node loads a photo, such as LoadImage.'] : []),
    ...(bindings.output === null
      ? ['No node saves the result under a filename_prefix, such as SaveImage, or more than one does.']
      : []),
  ];
  if (missing.length > 0) return missing;
  const problems = await check({ kind: 'workflow', workflow: graph, bindings: Bindings.parse(bindings) });
  return problems.map(({ path, message }) => `${path}: ${message}.`);
}

/** Goes by the names that ComfyUI's own nodes have for their inputs, and by the titles that people give nodes. */
export function suggestBindings(whole: Workflow): SuggestedBindings {
  const output = outputOf(whole);
  const graph = output === null ? whole : nodesLeadingTo(whole, output);
  const [template, ...photos] = templateFirst(placesOf(graph, isPhoto), graph);
  const prompt = promptPlaces(graph);
  const seed = placesOf(graph, ({ input, value }) => /^(noise_)?seed$/.test(input) && isNumber(value));
  const size = sizePlaces(graph);
  return {
    photos: photos.slice(0, 1),
    ...(template && { template: [template] }),
    ...(prompt.length > 0 && { prompt }),
    ...(seed.length > 0 && { seed }),
    ...(size && { size }),
    output,
  };
}

interface Input extends Place {
  type: string;
  title: string;
  value: unknown;
}

const isNumber = (value: unknown) => typeof value === 'number';
const isPhoto = ({ type, input, value }: Input) =>
  /load.*image/i.test(type) && input === 'image' && typeof value === 'string';

/** At most 20, as many as a binding may have. */
function placesOf(graph: Workflow, isWanted: (input: Input) => boolean): Place[] {
  return Object.entries(graph)
    .flatMap(([node, { class_type: type, inputs, ...rest }]) =>
      Object.entries(inputs).map(([input, value]) => ({ node, input, type, title: titleOf(rest), value })),
    )
    .filter(isWanted)
    .slice(0, 20)
    .map(({ node, input }) => ({ node, input }));
}

/** Where one of several photos is called a template, that one, and then the others; else nothing, and then all. */
function templateFirst(photos: Place[], graph: Workflow): [Place | undefined, ...Place[]] {
  const template =
    photos.length > 1
      ? photos.find(({ node }) => /template|target|scene|background|base/i.test(titleOf(graph[node]!)))
      : undefined;
  return [template, ...photos.filter((photo) => photo !== template)];
}

/** The texts that a sampler's positive input leads to; without one, those of nodes that are not called negative. */
function promptPlaces(graph: Workflow): Place[] {
  const texts = placesOf(
    graph,
    ({ input, value }) => /^(text|prompt)$/.test(input) && typeof value === 'string',
  );
  const leadingTo = (end: 'positive' | 'negative') =>
    new Set(
      Object.values(graph)
        .map(({ inputs }) => linkOf(inputs[end])?.node)
        .filter((node) => node !== undefined),
    );
  const positive = leadingTo('positive');
  const negative = leadingTo('negative');
  const named = texts.filter(({ node }) => positive.has(node));
  if (named.length > 0) return named;
  return texts
    .filter(({ node }) => !negative.has(node) && !/negative/i.test(titleOf(graph[node]!)))
    .slice(0, 1);
}

function sizePlaces(graph: Workflow): SuggestedBindings['size'] {
  const node = Object.keys(graph).find((id) => {
    const { class_type, inputs } = graph[id]!;
    return /empty.*latent/i.test(class_type) && isNumber(inputs.width) && isNumber(inputs.height);
  });
  if (node === undefined) return undefined;
  return { width: [{ node, input: 'width' }], height: [{ node, input: 'height' }] };
}

function outputOf(graph: Workflow): string | null {
  const saving = Object.keys(graph).filter((id) => typeof graph[id]!.inputs.filename_prefix === 'string');
  return saving.length === 1 ? saving[0]! : null;
}

/** What people called a node in the editor, or nothing. */
function titleOf(node: object): string {
  const meta: unknown = Reflect.get(node, '_meta');
  const title: unknown = typeof meta === 'object' && meta !== null ? Reflect.get(meta, 'title') : undefined;
  return typeof title === 'string' ? title.slice(0, shownText) : '';
}

function shown(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, shownText);
  return typeof value === 'object' ? null : value;
}
