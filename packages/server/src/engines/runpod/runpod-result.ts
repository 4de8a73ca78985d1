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

const Details = z.looseObject({ error: z.unknown(), details: z.unknown(), errors: z.unknown() }).partial();

/**
 * What a worker says of a failure. RunPod takes `error` out of what the handler returned and leaves the rest in
 * `output`: of `{"error": "Job processing failed", "details": [...]}` only the details tell what happened. What a
 * handler raised comes as a JSON text. For judging, and for the operator; never for showing to a guest.
 */
export function failureText(error: unknown, output?: unknown): string {
  const { error: inner, details, errors } = Details.safeParse(output).data ?? {};
  return [error, inner, details, errors].flatMap(textsIn).join('; ');
}

function textsIn(said: unknown): string[] {
  if (Array.isArray(said)) return said.flatMap(textsIn);
  if (typeof said === 'object' && said !== null) {
    const { error_type, error_message, message } = said as Record<string, unknown>;
    return [[error_type, error_message ?? message].flatMap(textsIn).join(' ')].filter((text) => text !== '');
  }
  if (typeof said !== 'string' || said === '') return [];
  try {
    const raised: unknown = JSON.parse(said);
    return typeof raised === 'object' ? textsIn(raised) : [said];
  } catch {
    return [said];
  }
}
