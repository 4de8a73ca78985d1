import { z } from 'zod';

const nulMessage = 'must not contain U+0000';

/**
 * A text from a caller. U+0000 is refused because PostgreSQL cannot store it; the composed form (NFC) is stored, so that
 * what looks the same is the same.
 */
export const Text = z
  .string()
  .normalize('NFC')
  .refine((text) => text.isWellFormed(), 'must be well-formed text')
  .refine((text) => !text.includes('\0'), nulMessage);

/** Any JSON from a caller that is stored as it came, without U+0000 in its texts and keys. */
export const withoutNul = <T extends z.ZodType>(schema: T): T =>
  schema.superRefine((value, context) => {
    const path = pathOfNul(value);
    if (path) context.addIssue({ code: 'custom', path, message: nulMessage });
  });

/** The way to the first text or key that contains U+0000. JSON from callers has at most 200 levels. */
function pathOfNul(value: unknown): string[] | null {
  if (typeof value === 'string') return value.includes('\0') ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('\0')) return [];
    const path = pathOfNul(inner);
    if (path) return [key, ...path];
  }
  return null;
}
