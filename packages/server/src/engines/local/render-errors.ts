import { RenderError } from '@guise/engine/runtime/render-error.ts';
import { AppError } from '../../errors.ts';

/** What the engine library throws, in the shape of every other error of this server. */
export function translateRenderError(error: unknown): unknown {
  if (!(error instanceof RenderError)) return error;
  const { code, message, retryable } = error;
  return new AppError(code, message, { retryable, cause: error });
}

/** Does work of the engine library, with its errors as errors of this server. */
export async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translateRenderError(error);
  }
}
