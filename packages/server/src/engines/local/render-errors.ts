import { RenderError } from '@guise/engine/runtime/render-error.ts';
import { AppError } from '../../errors.ts';

/** What the engine library throws, in the shape of every other error of this server. */
export function translateRenderError(error: unknown): unknown {
  if (!(error instanceof RenderError)) return error;
  const { code, message, retryable } = error;
  return new AppError(code, message, { retryable, cause: error });
}
