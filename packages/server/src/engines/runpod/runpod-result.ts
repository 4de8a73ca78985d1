import { z } from 'zod';

/** What the public ComfyUI worker answers. Before its version 5 a single result came as `message`. */
const Output = z.looseObject({
  images: z
    .array(
      z.looseObject({
        filename: z.string().default(''),
        type: z.string().default('base64'),
        data: z.string(),
      }),
    )
    .optional(),
  message: z.string().optional(),
});

export type Result = { kind: 'base64' | 'link'; data: string };

/** The result of this run, known by the run's own file name; null when there is none. */
export function resultOf(output: unknown, name: string): Result | null {
  const read = Output.safeParse(output);
  if (!read.success) return null;
  const { images = [], message } = read.data;
  const mine = images.find(({ filename }) => filename.startsWith(name));
  const data = mine?.data ?? (images.length === 0 ? message : undefined);
  if (!data) return null;
  return { kind: /^https?:/i.test(data) ? 'link' : 'base64', data: data.replace(/^data:[^,]{0,100},/, '') };
}

/** 0 to 1, from whatever a worker sends as progress: a number, a text with a percentage or "3/20", an object with one. */
export function progressOf(output: unknown): number | null {
  if (typeof output === 'number') return output > 1 ? output / 100 : output;
  if (typeof output === 'string') {
    const percent = /(\d+(?:\.\d+)?)\s*%/.exec(output);
    if (percent) return Number(percent[1]) / 100;
    const part = /(\d+)\s*\/\s*(\d+)/.exec(output);
    return part && Number(part[2]) > 0 ? Number(part[1]) / Number(part[2]) : null;
  }
  if (typeof output !== 'object' || output === null) return null;
  const { progress, percent } = output as Record<string, unknown>;
  return typeof (progress ?? percent) === 'object' ? null : progressOf(progress ?? percent);
}

/** The text of a failure in either shape: as a handler returned it, or a JSON text of what it raised. For judging, not for showing. */
export function failureText(error: unknown): string {
  if (typeof error !== 'string') return '';
  try {
    const raised = JSON.parse(error) as { error_type?: unknown; error_message?: unknown };
    return `${raised.error_type ?? ''} ${raised.error_message ?? ''}`;
  } catch {
    return error;
  }
}
