import { z } from 'zod';
import { readStoredHandle } from '../stored-handle.ts';

/** Where a run is: enough for another process to go on with it, progress included. Stored before the prompt is sent. */
const Handle = z.object({
  kind: z.literal('comfyui'),
  server: z.string(),
  prompt: z.string(),
  client: z.string(),
});
export type Handle = z.infer<typeof Handle>;

export const readHandle = (text: string | null) => readStoredHandle(Handle, text);
