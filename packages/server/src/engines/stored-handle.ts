import type { z } from 'zod';

/** What an engine stored of a run that an earlier process began; null on a first run, and for the handle of another engine. */
export function readStoredHandle<T>(schema: z.ZodType<T>, text: string | null): T | null {
  if (!text) return null;
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
