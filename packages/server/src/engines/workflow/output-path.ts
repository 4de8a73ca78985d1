import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { ownValue } from '@guise/contract/own-value.ts';
import type { Workflow } from '@guise/contract/workflow.ts';
import { linkOf } from './link.ts';

/** The node that saves the result, and every node that it takes something from, directly or by others. */
export function nodesOfOutput(workflow: Workflow, output: string): Set<string> {
  const found = new Set<string>();
  const left = [output];
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    const node = ownValue(workflow, id);
    if (!node || found.has(id)) continue;
    found.add(id);
    for (const value of Object.values(node.inputs)) {
      const link = linkOf(value);
      if (link) left.push(link.node);
    }
  }
  return found;
}

/** The nodes that lead to the output. Others are previews and second results that somebody left there. */
export function nodesLeadingTo(workflow: Workflow, output: string): Workflow {
  const kept = nodesOfOutput(workflow, output);
  return Object.fromEntries(Object.entries(workflow).filter(([id]) => kept.has(id)));
}

export function withoutDeadEnds(definition: WorkflowDefinition): WorkflowDefinition {
  return { ...definition, workflow: nodesLeadingTo(definition.workflow, definition.bindings.output) };
}
