import type { WorkflowDefinition } from '@guise/contract/filters.ts';

/** The names that a server has weights under, by the names that workflows give them. */
export type FileNames = Readonly<Record<string, string>>;

/** The workflow as this server is told it: with its own names of weights. */
export function withFileNames(definition: WorkflowDefinition, names: FileNames): WorkflowDefinition {
  if (Object.keys(names).length === 0) return definition;
  const workflow = Object.fromEntries(
    Object.entries(definition.workflow).map(([id, node]) => [
      id,
      { ...node, inputs: Object.fromEntries(Object.entries(node.inputs).map(renamed(names))) },
    ]),
  );
  return { ...definition, workflow };
}

const renamed =
  (names: FileNames) =>
  ([input, value]: [string, unknown]): [string, unknown] => [
    input,
    typeof value === 'string' && Object.hasOwn(names, value) ? names[value] : value,
  ];
