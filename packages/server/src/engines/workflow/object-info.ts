import type { WorkflowDefinition } from '@guise/contract/filters.ts';
import { ownValue } from '@guise/contract/own-value.ts';
import { z } from 'zod';
import type { FieldProblem } from '../../errors.ts';
import { boundPlaces } from './check.ts';
import { linkOf } from './link.ts';
import { withoutDeadEnds } from './output-path.ts';

/** What a ComfyUI server says of its nodes. An input is `[type, options]`; the type is a name or the list of choices. */
const Inputs = z.record(z.string(), z.array(z.unknown()));
const NodeInfo = z.looseObject({
  input: z.looseObject({ required: Inputs.optional(), optional: Inputs.optional() }).optional(),
  output: z.array(z.unknown()).optional(),
  output_node: z.boolean().optional(),
  /** Where its code is, such as `comfy_extras.nodes_mask` or `custom_nodes.ComfyUI-ReActor`. */
  python_module: z.string().optional(),
  category: z.string().optional(),
});
export const ObjectInfo = z.record(z.string(), NodeInfo);
export type ObjectInfo = z.infer<typeof ObjectInfo>;

/** Something that a server would refuse, with the part of the workflow that it is about. */
export interface ServerProblem extends FieldProblem {
  node: string;
  type: string;
  input?: string;
  /** A file, or another choice, that the server does not have. */
  missing?: string;
}

/** What a server would refuse of a workflow that is sound by itself. */
export function checkAgainstServer(info: ObjectInfo, definition: WorkflowDefinition): ServerProblem[] {
  const { workflow, bindings } = withoutDeadEnds(definition);
  const bound = new Set(boundPlaces(bindings).map(({ node, input }) => `${node}/${input}`));
  bound.add(`${bindings.output}/filename_prefix`);
  const nodes = Object.entries(workflow).flatMap(([id, node]): ServerProblem[] => {
    const path = `workflow.${id}`;
    const at = { node: id, type: node.class_type };
    const known = ownValue(info, node.class_type);
    if (!known)
      return [{ ...at, path: `${path}.class_type`, message: `the server has no node ${node.class_type}` }];
    if (id !== bindings.output && known.output_node)
      return [
        {
          ...at,
          path,
          message: `${node.class_type} is a second output: node ${bindings.output} must be the only one`,
        },
      ];
    const inputs = inputsOf(known);
    if (id === bindings.output && !(known.output_node && inputs.filename_prefix))
      return [{ ...at, path: 'bindings.output', message: `${node.class_type} saves nothing` }];
    const missing = Object.keys(known.input?.required ?? {})
      .filter((input) => !Object.hasOwn(node.inputs, input))
      .map((input) => ({ ...at, input, path: `${path}.inputs.${input}`, message: 'is required' }));
    const wrong = Object.entries(node.inputs).flatMap(([input, value]) => {
      const wanted = ownValue(inputs, input);
      if (!wanted) return [];
      const link = linkOf(value);
      const source = link && ownValue(info, workflow[link.node]!.class_type);
      const found = link
        ? checkLink(link.slot, source?.output, wanted[0])
        : bound.has(`${id}/${input}`)
          ? null
          : checkValue(value, wanted);
      return found ? [{ ...at, input, path: `${path}.inputs.${input}`, ...found }] : [];
    });
    return [...missing, ...wrong];
  });
  return [...nodes, ...checkBoundTypes(info, definition)];
}

function inputsOf({ input }: z.infer<typeof NodeInfo>): Record<string, unknown[]> {
  return { ...input?.optional, ...input?.required };
}

/** Texts that are bound to inputs which take numbers. */
function checkBoundTypes(info: ObjectInfo, { workflow, bindings }: WorkflowDefinition): ServerProblem[] {
  return boundPlaces(bindings)
    .filter(({ path }) => /^bindings\.(photos|template|face|frame|prompt|texts)\./.test(path))
    .flatMap(({ node, input, path }) => {
      const type = workflow[node]?.class_type ?? '';
      const known = ownValue(info, type);
      const takes = known && ownValue(inputsOf(known), input)?.[0];
      return takes === 'INT' || takes === 'FLOAT' || takes === 'BOOLEAN'
        ? [{ path, node, type, input, message: `input ${input} of ${type} takes ${takes}, not a text` }]
        : [];
    });
}

/** What is wrong with an input. */
type InputProblem = Pick<ServerProblem, 'message' | 'missing'>;

function checkLink(slot: number, outputs: unknown[] | undefined, wanted: unknown): InputProblem | null {
  if (!outputs) return null;
  if (slot < 0 || slot >= outputs.length)
    return { message: `takes output ${slot} of a node that has ${outputs.length}` };
  const given = outputs[slot];
  if (typeof given !== 'string' || typeof wanted !== 'string') return null;
  // `*` takes anything; a type may be several, parted by commas.
  const takes = wanted.split(',');
  if (takes.includes('*') || given === '*' || given.split(',').some((type) => takes.includes(type)))
    return null;
  return { message: `takes ${wanted}, not ${given}` };
}

/** What an input of a node offers on a server, such as the files of a folder. */
export function choicesOfInput(info: ObjectInfo, type: string, input: string): string[] {
  const known = ownValue(info, type);
  const found = known && ownValue(inputsOf(known), input);
  return (found ? (choicesIn(found) ?? []) : []).filter((choice) => typeof choice === 'string');
}

function choicesIn([type, options]: unknown[]): unknown[] | null {
  return Array.isArray(type) ? type : type === 'COMBO' ? choicesOf(options) : null;
}

function checkValue(value: unknown, wanted: unknown[]): InputProblem | null {
  const [type, options] = wanted;
  if (type === 'INT' || type === 'FLOAT') return checkNumber(value, type, options);
  const choices = choicesIn(wanted);
  if (!choices || choices.includes(value)) return null;
  // The list of a loader is that of a folder: one that has nothing yet lacks the file like any other.
  return { message: `the server does not have ${JSON.stringify(value)}`, missing: String(value) };
}

/** ComfyUI reads numbers out of texts, and refuses what is out of the range that the node gives. */
function checkNumber(value: unknown, type: 'INT' | 'FLOAT', options: unknown): InputProblem | null {
  const number = typeof value === 'string' ? numberIn(value, type) : value;
  if (typeof number === 'boolean') return null;
  if (typeof number !== 'number' || Number.isNaN(number))
    return { message: `takes ${type}, not ${JSON.stringify(value)}` };
  const { min, max } = z.looseObject({ min: Bound, max: Bound }).catch({}).parse(options);
  if (min !== undefined && number < min) return { message: `is ${number}, and must be at least ${min}` };
  if (max !== undefined && number > max) return { message: `is ${number}, and must be at most ${max}` };
  return null;
}

const Bound = z.number().optional().catch(undefined);

function numberIn(text: string, type: 'INT' | 'FLOAT'): number {
  const form = type === 'INT' ? /^\s*[+-]?\d+\s*$/ : /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i;
  return form.test(text) ? Number(text) : Number.NaN;
}

function choicesOf(options: unknown): unknown[] | null {
  const list = (options as { options?: unknown } | undefined)?.options;
  return Array.isArray(list) ? list : null;
}
