import { readdirSync, readFileSync } from 'node:fs';
import { ObjectInfo } from '../../src/engines/workflow/object-info.ts';
import {
  ownWorkflow,
  readWorkflowFile,
  type WorkflowFile,
} from '../../src/engines/workflow/workflow-file.ts';

const workflows: readonly WorkflowFile[] = readdirSync(new URL('.', ownWorkflow('x'))).map((name) =>
  readWorkflowFile(ownWorkflow(name.replace('.json', ''))),
);

/** The weights that the reference workflows load. */
export const referenceWeights: readonly string[] = [
  ...new Set(workflows.flatMap(({ needs }) => needs.models.map((model) => model.file))),
];

/** The nodes of the reference workflows, as a real ComfyUI with the real node packs described them. */
const recorded = ObjectInfo.parse(
  JSON.parse(readFileSync(new URL('./recorded-nodes.json', import.meta.url), 'utf8')),
);

/** A server that has every node, and these weights in its folders. */
export function referenceNodes(weights: readonly string[] = referenceWeights): ObjectInfo {
  const info = structuredClone(recorded);
  for (const node of Object.values(info)) {
    const [, pack] = /, (.+)$/.exec(String(node.from)) ?? [];
    node.python_module = pack ? `custom_nodes.${pack}` : 'nodes';
  }
  for (const { class_type, inputs } of workflows.flatMap(({ definition }) =>
    Object.values(definition.workflow),
  ))
    for (const [name, value] of Object.entries(inputs)) {
      if (!referenceWeights.includes(String(value))) continue;
      const { required = {}, optional = {} } = info[class_type]?.input ?? {};
      const input = required[name] ?? optional[name];
      // Older nodes give the choices in place of the type, newer ones among the options.
      if (Array.isArray(input?.[0])) input[0] = [...weights];
      else if (input) input[1] = { ...(input[1] as object), options: [...weights] };
    }
  return info;
}
