import { z } from 'zod';

/** The content of a column that holds JSON. Throws where it is not what the schema says. */
export function readJson<T>(schema: z.ZodType<T>, text: string): T {
  return schema.parse(JSON.parse(text));
}

/** Of columns that hold blob keys, or names of installations. */
export const TextList = z.array(z.string());
