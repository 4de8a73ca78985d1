import { z } from 'zod';
import { forOperator } from '../failure.ts';

const NodeError = z.looseObject({
  message: z.string().default(''),
  details: z.string().default(''),
  extra_info: z
    .looseObject({ input_name: z.string().optional(), received_value: z.unknown().optional() })
    .default({}),
});

/** What ComfyUI answers to a prompt that it does not take, or of which it takes only a part. */
export const Refusal = z.looseObject({
  error: z
    .union([z.string(), z.looseObject({ message: z.string().default(''), details: z.string().default('') })])
    .optional(),
  node_errors: z
    .record(
      z.string(),
      z.looseObject({ class_type: z.string().default('unknown'), errors: z.array(NodeError).default([]) }),
    )
    .catch({})
    .default({}),
});
export type Refusal = z.infer<typeof Refusal>;

const mostProblems = 3;
const mostValueChars = 80;

/** For the operator: which node did not take which value of which input, and why. */
export function describeRefusal({ error, node_errors }: Refusal): string {
  const problems = Object.entries(node_errors).flatMap(([id, { class_type, errors }]) =>
    errors.map((problem) => `node ${id} (${class_type})${describeProblem(problem)}`),
  );
  const shown = problems.slice(0, mostProblems).join('; ');
  if (problems.length > mostProblems) return `${shown}; and ${problems.length - mostProblems} more`;
  if (problems.length > 0) return shown;
  const said = typeof error === 'string' ? error : [error?.message, error?.details].filter(Boolean).join(' ');
  return forOperator(said ?? '') || 'the server gave no reason';
}

function describeProblem({ message, details, extra_info }: z.infer<typeof NodeError>): string {
  const { input_name, received_value } = extra_info;
  const input = input_name === undefined ? '' : `, input ${input_name}`;
  const value = received_value === undefined ? '' : `, value ${shorten(JSON.stringify(received_value))}`;
  // With a value, the details only repeat it beside the list of all that could have been chosen.
  const more =
    received_value === undefined && details !== '' && details !== input_name ? ` (${details})` : '';
  return `${input}${value}: ${forOperator(`${message}${more}`)}`;
}

const shorten = (text: string) => (text.length > mostValueChars ? `${text.slice(0, mostValueChars)}…` : text);
