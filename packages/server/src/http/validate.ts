import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../errors.ts';
import { issueMessage } from '../issue-message.ts';

/** Checks bodies and queries by the zod schemas of the routes; errors name each field that does not fit. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const parsed = parseLeniently(schema, input);
    return parsed.success ? { value: parsed.data } : { error: validationError(parsed.error, input) };
  };

/**
 * Parses a request whose fields may be spelt as serializers and forms spell them: see `respell`. The input is changed
 * only where the schema refuses it, so that whatever the schema accepts means what it says.
 */
function parseLeniently<T>(schema: z.ZodType<T>, input: unknown): z.ZodSafeParseResult<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success || !respell(parsed.error.issues, input, [])) return parsed;
  return schema.safeParse(input);
}

type Path = readonly PropertyKey[];

/** Changes what was refused for its spelling alone, below `base`. Returns whether there was anything. */
function respell(issues: readonly z.core.$ZodIssue[], input: unknown, base: Path): boolean {
  let found = false;
  for (const issue of issues) {
    const path = [...base, ...issue.path];
    if (issue.code === 'invalid_union' && valueAt(input, path) !== null)
      for (const option of issue.errors) found = respell(option, input, path) || found;
    else if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) found = removeNull(valueAt(input, path), key) || found;
    else found = respellField(issue, input, path) || found;
  }
  return found;
}

function respellField(issue: z.core.$ZodIssue, input: unknown, path: Path): boolean {
  const [parent, name] = [valueAt(input, path.slice(0, -1)), path.at(-1)];
  if (typeof parent !== 'object' || parent === null || name === undefined) return false;
  if (removeNull(parent, name)) return true;
  const fields = parent as Record<PropertyKey, unknown>;
  const meant = issue.code === 'invalid_type' ? spelling(issue.expected, fields[name]) : undefined;
  if (meant === undefined) return false;
  fields[name] = meant;
  return true;
}

/**
 * Serializers of .NET, Java and others write what is not set as null, so that is as if it had not been sent. An element
 * of a list is no field: null stays there, and is refused.
 */
function removeNull(parent: unknown, name: PropertyKey): boolean {
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) return false;
  const fields = parent as Record<PropertyKey, unknown>;
  return Object.hasOwn(fields, name) && fields[name] === null && delete fields[name];
}

/** What forms and scripts write for true and for false. */
const booleans = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  [1, true],
  [0, false],
]);

/** The number or the boolean that a value stands for where one was expected; undefined where it stands for none. */
function spelling(expected: string, value: unknown): number | boolean | undefined {
  if (expected === 'boolean') return booleans.get(value);
  if (expected !== 'number' && expected !== 'int') return undefined;
  return typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? nearestInteger(value) : undefined;
}

/** More digits than a number holds exactly name nothing that exists, and stay an integer for whoever reads it next. */
function nearestInteger(digits: string): number {
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(digits)));
}

/** Undefined where the path leads nowhere. */
function valueAt(input: unknown, path: Path): unknown {
  let value: unknown = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}

function validationError(error: z.ZodError, input: unknown): AppError {
  const fields = error.issues.slice(0, 20).map((issue) => ({
    path: issue.path.join('.'),
    message: isMissing(issue, input) ? 'is required' : issueMessage(issue),
  }));
  const sentence = fields.map((field) => [field.path || 'The body', field.message].join(': ')).join('; ');
  return new AppError('VALIDATION_ERROR', `${sentence}.`, { fields });
}

/** Codes of what zod says of a field that is not there, by its schema: a type, an enumeration or a union. */
const codesOfMissing: readonly string[] = ['invalid_type', 'invalid_value', 'invalid_union'];

function isMissing(issue: z.core.$ZodIssue, input: unknown): boolean {
  if (!codesOfMissing.includes(issue.code) || issue.path.length === 0) return false;
  const parent = valueAt(input, issue.path.slice(0, -1));
  if (typeof parent !== 'object' || parent === null) return false;
  return valueAt(input, issue.path) === undefined;
}
