import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../errors.ts';

/** Checks bodies and queries by the zod schemas of the routes; errors name each field that does not fit. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const parsed = parseWithoutNulls(schema, input);
    return parsed.success ? { value: parsed.data } : { error: validationError(parsed.error, input) };
  };

/**
 * Parses a request. Serializers of .NET, Java and others write what is not set as null, so a null that the schema
 * refuses is taken out of the input, as if it had not been sent. Where null means something, the schema accepts it.
 */
function parseWithoutNulls<T>(schema: z.ZodType<T>, input: unknown): z.ZodSafeParseResult<T> {
  const parsed = schema.safeParse(input);
  if (parsed.success || !removeRefusedNulls(parsed.error.issues, input)) return parsed;
  return schema.safeParse(input);
}

/** Returns whether there were any. An element of a list is no field: null stays there, and is refused. */
function removeRefusedNulls(issues: readonly z.core.$ZodIssue[], input: unknown): boolean {
  let found = false;
  for (const issue of issues) {
    const refused = valueAt(input, issue.path);
    if (issue.code === 'invalid_union' && refused !== null) {
      for (const option of issue.errors) found = removeRefusedNulls(option, refused) || found;
      continue;
    }
    const names = issue.code === 'unrecognized_keys' ? issue.keys : issue.path.slice(-1);
    const parent = issue.code === 'unrecognized_keys' ? refused : valueAt(input, issue.path.slice(0, -1));
    for (const name of names) found = removeNull(parent, name) || found;
  }
  return found;
}

function removeNull(parent: unknown, name: PropertyKey): boolean {
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) return false;
  const fields = parent as Record<PropertyKey, unknown>;
  return Object.hasOwn(fields, name) && fields[name] === null && delete fields[name];
}

/** Undefined where the path leads nowhere. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
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
    message: isMissing(issue, input) ? 'is required' : issue.message,
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
