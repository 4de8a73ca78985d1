/** `ENGINE_REFUSED`: no retry helps, and the sentence is for the guest. The others are for the operator. */
export type RenderErrorCode = 'ENGINE_REFUSED' | 'ENGINE_BROKE' | 'CATALOG_BROKEN' | 'MODEL_UNUSABLE';

/** Why the engine made no picture or video, as one sentence that may be shown. */
export class RenderError extends Error {
  readonly code: RenderErrorCode;
  readonly retryable: boolean;

  constructor(
    code: RenderErrorCode,
    sentence: string,
    options: { cause?: unknown; retryable?: boolean } = {},
  ) {
    super(sentence, { cause: options.cause });
    this.name = 'RenderError';
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}

/** The request cannot succeed however often it is tried; the sentence is for the guest in front of the camera. */
export function cannotMake(sentence: string, cause?: unknown): RenderError {
  return new RenderError('ENGINE_REFUSED', sentence, { cause });
}

/** Something failed that may work on another try. */
export function renderFailed(sentence: string, cause?: unknown): RenderError {
  return new RenderError('ENGINE_BROKE', sentence, { cause, retryable: true });
}
