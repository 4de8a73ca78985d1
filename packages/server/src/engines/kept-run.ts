import { AppError } from '../errors.ts';
import { UpstreamError } from './upstream.ts';

/** A result that is made, and did not come from there: another try may fetch it. */
export class ResultNotFetched extends AppError {
  constructor(sentence: string, cause: unknown) {
    super('ENGINE_BROKE', sentence, { cause, retryable: true });
  }
}

/** Whether a run elsewhere may go on, or be made, though it is not heard of. */
export const mayStillRun = (error: unknown): error is UpstreamError | ResultNotFetched =>
  error instanceof ResultNotFetched || (error instanceof UpstreamError && error.kind !== 'too large');
