import type { z } from 'zod';
import { AppError } from '../errors.ts';

/** The input as the schema gives it, or `VALIDATION_ERROR` naming each field that does not fit. */
export function shaped<S extends z.ZodType>(schema: S, input: unknown): z.infer<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.slice(0, 20).map((issue) => ({
    path: issue.path.join('.'),
    message: missing(issue, input) ? 'is required' : issue.message,
  }));
  const sentence = fields.map((field) => [field.path || 'The body', field.message].join(': ')).join('; ');
  throw new AppError('VALIDATION_ERROR', `${sentence}.`, { fields });
}

function missing(issue: z.core.$ZodIssue, input: unknown): boolean {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_union') return false;
  let value: unknown = input;
  for (const key of issue.path) {
    if (typeof value !== 'object' || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value === undefined && issue.path.length > 0;
}
