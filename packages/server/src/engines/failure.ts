import { AppError } from '../errors.ts';
import { cannotMake, engineUnfit } from './engine.ts';
import { type FailurePattern, patternOf, unknownFailure } from './failure-patterns.ts';

/** A failure inside a workflow: what it is, and what the upstream said of it, for the operator. */
export interface WorkflowFailure {
  pattern: FailurePattern;
  /** The same for the same failure on another server or of another photo. */
  signature: string;
  cause: Error;
}

/** `where` is the node that raised; `said` is the upstream's own text. */
export function readFailure(said: string, where = ''): WorkflowFailure {
  const pattern = patternOf(said);
  const shown = forOperator(said);
  const raised = [where, shown].filter((part) => part !== '').join(': ');
  return {
    pattern,
    signature: `${where} ${shown}`.toLowerCase().replace(/[0-9a-f]{8,}|\d+/g, '#'),
    cause: new Error(raised === '' ? pattern.cause : `${pattern.cause} (${raised})`),
  };
}

/** How a job ends by a failure that no other server could help with. */
export function failureError(
  { pattern, cause }: WorkflowFailure,
  { retry = pattern.retry, ofCaller = false }: { retry?: boolean; ofCaller?: boolean } = {},
): AppError {
  const { sentence, fallback } = pattern;
  // What a caller's own workflow raises is no fault of this installation.
  if (!fallback || (ofCaller && pattern === unknownFailure)) return cannotMake(sentence, cause);
  return retry
    ? new AppError('ENGINE_BROKE', sentence, { cause, retryable: true })
    : engineUnfit(sentence, cause);
}

/** How a job ends that failed in the same unknown way on two servers: it is the photo's, or the workflow's. */
export function agreedError({ pattern, cause }: WorkflowFailure): AppError {
  return cannotMake(pattern.sentence, new Error(`two servers say the same: ${cause.message}`));
}

const mostChars = 240;

/** An upstream's text for the operator: in one line, of bounded length, with paths cut down to their last part. */
export function forOperator(said: string): string {
  const line = said
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/(?:[A-Za-z]:)?[\\/](?:[^\s\\/'":,]+[\\/])+/g, '…/')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > mostChars ? `${line.slice(0, mostChars)}…` : line;
}
