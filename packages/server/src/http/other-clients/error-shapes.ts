import { OpenAiError } from '@guise/contract/other-clients/openai-images.ts';
import type { z } from 'zod';
import type { AppErrorCode } from '../../errors.ts';
import type { WriteError } from './error-answer.ts';
import { openAiError, openAiStatusOf } from './openai/openai-errors.ts';

/** How errors look in an interface of others. */
export interface ErrorShape {
  prefix: string;
  schema: z.ZodType;
  write: WriteError;
  /** The status of an error that has another one elsewhere. */
  statusOf(code: AppErrorCode, status: number): number;
}

const shapes: readonly ErrorShape[] = [
  { prefix: '/openai/v1/', schema: OpenAiError, write: openAiError, statusOf: openAiStatusOf },
];

/** How errors below a path look; undefined where they have the shape of this interface. */
export function errorShapeOf(url: string): ErrorShape | undefined {
  return shapes.find(({ prefix }) => url.startsWith(prefix));
}
