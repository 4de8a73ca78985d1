import type { WriteError } from './error-answer.ts';
import { openAiError } from './openai/openai-errors.ts';

const shapes: readonly { prefix: string; write: WriteError }[] = [
  { prefix: '/openai/v1/', write: openAiError },
];

/** How errors below a path are written; undefined where they have the shape of this interface. */
export function errorShapeOf(url: string): WriteError | undefined {
  return shapes.find(({ prefix }) => url.startsWith(prefix))?.write;
}
