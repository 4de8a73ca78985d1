import { AppError } from '../errors.ts';
import { cannotMake, engineUnfit } from './engine.ts';
import { type FailurePattern, failedOnPhoto, patternOf, unknownFailure } from './failure-patterns.ts';

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

/** What is known of a failure beside what the upstream said. */
export interface FailureCircumstances {
  retry?: boolean;
  /** Whether the workflow is a custom filter's. */
  ofCaller?: boolean;
  /** Whether the workflow made the job before this one: then what it does not know how to do is the photo's. */
  ofPhoto?: boolean;
}

/** How a job ends by a failure that no other server could help with. */
export function failureError(
  { pattern, cause }: WorkflowFailure,
  { retry = pattern.retry, ofCaller = false, ofPhoto = false }: FailureCircumstances = {},
): AppError {
  const isUnknown = pattern === unknownFailure;
  const sentence = isUnknown && ofPhoto ? failedOnPhoto : pattern.sentence;
  if (!pattern.fallback || (isUnknown && ofCaller && ofPhoto)) return cannotMake(sentence, cause);
  // A caller's own workflow raises the same a second later.
  return retry && !(isUnknown && ofCaller)
    ? new AppError('ENGINE_BROKE', sentence, { cause, retryable: true })
    : engineUnfit(sentence, cause);
}

/** How a job ends that failed in the same unknown way on two servers: it is the photo's, or the workflow's. */
export function agreedError({ pattern, cause }: WorkflowFailure, ofPhoto: boolean): AppError {
  const both = new Error(`two servers say the same: ${cause.message}`);
  return ofPhoto ? cannotMake(failedOnPhoto, both) : engineUnfit(pattern.sentence, both);
}

/** What an error has to say to the operator: what caused it, else itself. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
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
