import { z } from 'zod';

/** Where a run is: enough for another process to go on with it, progress included. Stored before the prompt is sent. */
const Handle = z.object({
  kind: z.literal('comfyui'),
  server: z.string(),
  prompt: z.string(),
  client: z.string(),
});
export type Handle = z.infer<typeof Handle>;

export function readHandle(text: string | null): Handle | null {
  if (!text) return null;
  try {
    return Handle.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
