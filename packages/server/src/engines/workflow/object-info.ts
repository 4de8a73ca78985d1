import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { ownValue } from '@guise/contract/own-value.ts';
import { z } from 'zod';
import type { FieldProblem } from '../../errors.ts';
import { boundPlaces, linkOf } from './check.ts';

/** What a ComfyUI server says of its nodes. An input is `[type, options]`; the type is a name or the list of choices. */
const Inputs = z.record(z.string(), z.array(z.unknown()));
const NodeInfo = z.looseObject({
  input: z.looseObject({ required: Inputs.optional(), optional: Inputs.optional() }).optional(),
  output: z.array(z.unknown()).optional(),
  output_node: z.boolean().optional(),
});
export const ObjectInfo = z.record(z.string(), NodeInfo);
export type ObjectInfo = z.infer<typeof ObjectInfo>;

/** What a server would refuse of a workflow that is sound by itself. */
export function checkAgainstServer(info: ObjectInfo, definition: WorkflowDefinition): FieldProblem[] {
  const { workflow, bindings } = definition;
  const bound = new Set(boundPlaces(bindings).map(({ node, input }) => `${node}/${input}`));
  bound.add(`${bindings.output}/filename_prefix`);
  return Object.entries(workflow).flatMap(([id, node]): FieldProblem[] => {
    const path = `workflow.${id}`;
    const known = ownValue(info, node.class_type);
    if (!known) return [{ path: `${path}.class_type`, message: `the server has no node ${node.class_type}` }];
    if (id !== bindings.output && known.output_node)
      return [
        {
          path,
          message: `${node.class_type} is a second output: node ${bindings.output} must be the only one`,
        },
      ];
    if (id === bindings.output && !known.output_node)
      return [{ path: 'bindings.output', message: `${node.class_type} saves nothing` }];
    const { required = {}, optional = {} } = known.input ?? {};
    const missing = Object.keys(required)
      .filter((input) => !Object.hasOwn(node.inputs, input))
      .map((input) => ({ path: `${path}.inputs.${input}`, message: 'is required' }));
    const wrong = Object.entries(node.inputs).flatMap(([input, value]) => {
      const wanted = ownValue(required, input) ?? ownValue(optional, input);
      if (!wanted) return [];
      const at = `${path}.inputs.${input}`;
      const link = linkOf(value);
      if (link) {
        const source = ownValue(info, workflow[link.node]!.class_type);
        return checkLink(at, link.slot, source?.output, wanted[0]);
      }
      if (bound.has(`${id}/${input}`)) return [];
      return checkValue(at, value, wanted);
    });
    return [...missing, ...wrong];
  });
}

function checkLink(
  path: string,
  slot: number,
  outputs: unknown[] | undefined,
  wanted: unknown,
): FieldProblem[] {
  if (!outputs) return [];
  if (slot < 0 || slot >= outputs.length)
    return [{ path, message: `takes output ${slot} of a node that has ${outputs.length}` }];
  const given = outputs[slot];
  if (typeof given !== 'string' || typeof wanted !== 'string') return [];
  // `*` takes anything; a type may be several, parted by commas.
  const takes = wanted.split(',');
  if (takes.includes('*') || given === '*' || given.split(',').some((type) => takes.includes(type)))
    return [];
  return [{ path, message: `takes ${wanted}, not ${given}` }];
}

function checkValue(path: string, value: unknown, [type, options]: unknown[]): FieldProblem[] {
  const choices = Array.isArray(type) ? type : type === 'COMBO' ? choicesOf(options) : null;
  // An empty list is one that the server fills from a folder that has nothing yet.
  if (!choices || choices.length === 0 || choices.includes(value)) return [];
  return [{ path, message: `the server does not have ${JSON.stringify(value)}` }];
}

function choicesOf(options: unknown): unknown[] | null {
  const list = (options as { options?: unknown } | undefined)?.options;
  return Array.isArray(list) ? list : null;
}
