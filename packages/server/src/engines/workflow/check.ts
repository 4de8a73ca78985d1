import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { ownValue } from '@guise/contract/own-value.ts';
import type { Bindings, Place, Workflow, WorkflowNode } from '@guise/contract/workflow.ts';
import type { FieldProblem } from '../../errors.ts';
import { linkOf } from './link.ts';
import { nodesOfOutput } from './output-path.ts';

/** An input that a binding writes to, with the way to it in the definition. */
export interface BoundPlace extends Place {
  path: string;
}

/** What is wrong with a workflow and its bindings by themselves, whatever server runs them. */
export function checkWorkflow({ workflow, bindings }: WorkflowDefinition): FieldProblem[] {
  const problems = [
    ...checkLinks(workflow),
    ...boundPlaces(bindings).flatMap((place) => checkPlace(workflow, place)),
  ];
  if (problems.length > 0) return problems;
  return [...checkOutput(workflow, bindings.output), ...checkReach(workflow, bindings)];
}

export function boundPlaces(bindings: Bindings): BoundPlace[] {
  const { output: _, size, canvas, ...lists } = bindings;
  const sizes = {
    'size.width': size?.width,
    'size.height': size?.height,
    'canvas.width': canvas?.width,
    'canvas.height': canvas?.height,
  };
  return Object.entries({ ...lists, ...sizes }).flatMap(([name, list]) =>
    (list ?? []).map(({ node, input }, i) => ({ node, input, path: `bindings.${name}.${i}` })),
  );
}

function checkLinks(workflow: Workflow): FieldProblem[] {
  const problems = Object.entries(workflow).flatMap(([id, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, value]) => {
      const link = linkOf(value);
      if (!link || ownValue(workflow, link.node)) return [];
      return [
        { path: `workflow.${id}.inputs.${input}`, message: `links to node ${link.node}, which is not there` },
      ];
    }),
  );
  if (problems.length > 0) return problems;
  const circle = circleIn(workflow);
  return circle ? [{ path: `workflow.${circle}`, message: 'is part of a circle' }] : [];
}

/** A node that needs itself, if there is one. */
function circleIn(workflow: Workflow): string | undefined {
  const done = new Set<string>();
  const walk = (id: string, trail: Set<string>): string | undefined => {
    if (trail.has(id)) return id;
    if (done.has(id)) return undefined;
    trail.add(id);
    for (const value of Object.values(workflow[id]!.inputs)) {
      const link = linkOf(value);
      const circle = link && walk(link.node, trail);
      if (circle) return circle;
    }
    trail.delete(id);
    done.add(id);
    return undefined;
  };
  return Object.keys(workflow)
    .map((id) => walk(id, new Set()))
    .find((circle) => circle !== undefined);
}

function checkPlace(workflow: Workflow, { node, input, path }: BoundPlace): FieldProblem[] {
  const found = ownValue(workflow, node);
  if (!found) return [{ path: `${path}.node`, message: `the workflow has no node ${node}` }];
  if (!Object.hasOwn(found.inputs, input))
    return [{ path: `${path}.input`, message: `node ${node} (${found.class_type}) has no input ${input}` }];
  if (linkOf(found.inputs[input]))
    return [{ path: `${path}.input`, message: `input ${input} of node ${node} is linked to another node` }];
  return [];
}

/** What is bound to a node that does not lead to the output would have no effect. */
function checkReach(workflow: Workflow, bindings: Bindings): FieldProblem[] {
  const leading = nodesOfOutput(workflow, bindings.output);
  return boundPlaces(bindings)
    .filter(({ node }) => leading.size > 0 && !leading.has(node))
    .map(({ node, path }) => ({
      path: `${path}.node`,
      message: `node ${node} does not lead to node ${bindings.output}, which saves the result`,
    }));
}

/** One node saves the result. Others that end in nothing are left out of runs. */
function checkOutput(workflow: Workflow, output: string): FieldProblem[] {
  const node = ownValue(workflow, output);
  const path = 'bindings.output';
  if (!node) return [{ path, message: `the workflow has no node ${output}` }];
  const used = new Set(
    Object.values(workflow).flatMap(({ inputs }) =>
      Object.values(inputs).map((value) => linkOf(value)?.node),
    ),
  );
  const ends = Object.keys(workflow).filter((id) => !used.has(id));
  if (!ends.includes(output)) return [{ path, message: `node ${output} is not the end of the graph` }];
  if (isTemporary(node))
    return [{ path, message: `${node.class_type} shows its result and does not save it: use SaveImage` }];
  if (typeof node.inputs.filename_prefix !== 'string')
    return [
      {
        path,
        message: `node ${output} (${node.class_type}) has no filename_prefix, so its file cannot be told`,
      },
    ];
  return [];
}

/** Previews, and video nodes that are told not to save, write into the folder for temporary files. */
function isTemporary({ class_type, inputs }: WorkflowNode): boolean {
  return /^Preview/.test(class_type) || inputs.save_output === false;
}
