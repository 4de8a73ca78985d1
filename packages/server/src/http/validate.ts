import type { FastifySchemaCompiler } from 'fastify';
import type { z } from 'zod';
import { AppError } from '../errors.ts';

/** Checks bodies and queries by the zod schemas of the routes; errors name each field that does not fit. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input: unknown) => {
    const parsed = schema.safeParse(input);
    return parsed.success ? { value: parsed.data } : { error: validationError(parsed.error, input) };
  };

function validationError(error: z.ZodError, input: unknown): AppError {
  const fields = error.issues.slice(0, 20).map((issue) => ({
    path: issue.path.join('.'),
    message: isMissing(issue, input) ? 'is required' : issue.message,
  }));
  const sentence = fields.map((field) => [field.path || 'The body', field.message].join(': ')).join('; ');
  return new AppError('VALIDATION_ERROR', `${sentence}.`, { fields });
}

function isMissing(issue: z.core.$ZodIssue, input: unknown): boolean {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return false;
  let value: unknown = input;
  for (const key of issue.path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value === undefined && issue.path.length > 0;
}
