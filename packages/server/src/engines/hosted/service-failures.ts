import type { AppError } from '../../errors.ts';
import { cannotMake, engineBroke, engineUnfit } from '../engine.ts';
import { forOperator } from '../failure.ts';
import { neverConnected, type UpstreamAnswer, UpstreamError } from '../upstream.ts';

/** What went wrong at a hosted service, and who can help. The service's own words never reach a guest. */
export interface ServiceFailure {
  /** In the log and on the operator's pages. */
  name: string;
  /** `ours` is what was sent from here: the photo after it was scaled, or a field of the settings. */
  whose: 'photo' | 'ours' | 'operator' | 'service';
  /** How often the job is worth another try there. */
  again: 'never' | 'once' | 'yes';
  /** Whether the service may have charged for it. */
  mayBeCharged: boolean;
  /** For the guest in front of the camera. */
  sentence: string;
  /** For the operator. */
  cause: string;
}

const unavailable = 'The picture service of this installation cannot be used right now.';
const broke = 'The picture service did not answer as it should.';
const ofTheOperator = {
  whose: 'operator',
  again: 'never',
  mayBeCharged: false,
  sentence: unavailable,
} as const;
const ofTheService = { whose: 'service', again: 'yes', mayBeCharged: false, sentence: broke } as const;
const paidForNothing = { ...ofTheService, again: 'once', mayBeCharged: true } as const;

export const serviceFailures = {
  refusedRequest: {
    name: 'refused content',
    whose: 'photo',
    again: 'never',
    mayBeCharged: false,
    sentence:
      'The picture service refused this photo or these words. Try another photo, or choose another style.',
    cause: 'the service refused the photo or the words by its rules for content',
  },
  refusedResult: {
    name: 'refused result',
    whose: 'photo',
    again: 'once',
    mayBeCharged: true,
    sentence: 'The picture service refused the picture that it made. Try again, or choose another style.',
    cause: 'the service refused its own picture by its rules for content',
  },
  photoUnusable: {
    name: 'photo refused',
    whose: 'ours',
    again: 'never',
    mayBeCharged: false,
    sentence: 'The picture service could not use this photo.',
    cause: 'the service does not take the photo: its size, shape or format',
  },
  noCredit: {
    ...ofTheOperator,
    name: 'no credit',
    cause: 'the account at the service has no credit left, or has reached its limit of spending',
  },
  notVerified: {
    ...ofTheOperator,
    name: 'verification wanted',
    cause: 'the service wants the organization to be verified before it may use this model',
  },
  keyRefused: { ...ofTheOperator, name: 'key refused', cause: 'the service refuses the key' },
  modelGone: {
    ...ofTheOperator,
    name: 'model gone',
    cause: 'the service has no such model, or no longer: set "model" to one that it has',
  },
  settingRefused: {
    ...ofTheOperator,
    name: 'request refused',
    cause: 'the service does not take a field that is sent to it: check the settings of the engine',
  },
  tooMany: {
    ...ofTheService,
    name: 'too many requests',
    sentence: 'The picture service has too much to do right now.',
    cause: 'the service takes no more requests for now',
  },
  serverError: { ...ofTheService, name: 'server error', cause: 'the service answered with an error' },
  unreachable: { ...ofTheService, name: 'not reachable', cause: 'the service cannot be connected to' },
  lost: {
    ...paidForNothing,
    name: 'connection lost',
    cause: 'the connection was lost, or the time was up, before the answer: it may be charged all the same',
  },
  noPicture: {
    ...paidForNothing,
    name: 'no picture',
    cause: 'the service answered without a picture',
  },
  malformed: {
    ...paidForNothing,
    name: 'malformed answer',
    cause: 'the answer of the service is not what its documentation says',
  },
  forgotten: {
    ...paidForNothing,
    name: 'request forgotten',
    cause: 'the service no longer knows the request',
  },
  tooLate: {
    ...ofTheService,
    again: 'never',
    mayBeCharged: true,
    name: 'time limit',
    sentence: 'The job took longer than it may and was stopped.',
    cause: 'the service did not begin or end within the limits of the route',
  },
  resultNotFetched: {
    ...ofTheService,
    name: 'result not fetched',
    sentence: 'The result could not be fetched from the picture service.',
    cause: 'the result is made, but could not be fetched',
  },
} as const satisfies Record<string, ServiceFailure>;

/** A failure with what the service said of it. */
export class ServiceError extends Error {
  readonly failure: ServiceFailure;
  /** Whether what was asked for is still there, so that the next try goes on with it. */
  readonly isKept: boolean;

  constructor(failure: ServiceFailure, said = '', { isKept = false, cause }: ServiceErrorOptions = {}) {
    const shown = forOperator(said);
    super(shown === '' ? failure.cause : `${failure.cause} (${shown})`, { cause });
    this.name = 'ServiceError';
    this.failure = failure;
    this.isKept = isKept;
  }
}

interface ServiceErrorOptions {
  isKept?: boolean;
  cause?: unknown;
}

/** What a service says of a failure, in the forms of OpenAI, of the servers that imitate it, and of fal. */
interface Said {
  code: string;
  text: string;
  field: string;
  stage: string;
}

const photoProblems =
  /^image_(too_|load|unreadable|invalid)|file_(too_large|download)|unsupported_image|invalid_image/;
const noCredit =
  /insufficient_quota|billing|exhausted.{0,20}balance|low (credit|balance)|credit.{0,20}(limit|exhausted)/i;
const refusals =
  /moderation_blocked|content_policy|content_filter|safety.?(system|violation)|likenesses of real/i;
const modelProblems =
  /model_not_found|no longer available|has been (deprecated|shut)|model .{0,80}not exist/i;

/** Which failure an answer is that is not 200. The first rule that fits decides. */
export function readServiceFailure({ status, body }: Pick<UpstreamAnswer, 'status' | 'body'>): ServiceError {
  const said = saidIn(body);
  const row = rowOf(status, said);
  return new ServiceError(row, [String(status), said.code, said.field, said.text].filter(Boolean).join(' '));
}

function rowOf(status: number, { code, text, field, stage }: Said): ServiceFailure {
  const words = `${code} ${text}`;
  if (status < 500 && refusals.test(words))
    return stage === 'output' ? serviceFailures.refusedResult : serviceFailures.refusedRequest;
  if (status === 402 || (status < 500 && noCredit.test(words))) return serviceFailures.noCredit;
  if (status === 403 && /verif/i.test(text)) return serviceFailures.notVerified;
  if (status === 401 || status === 403) return serviceFailures.keyRefused;
  if (status === 404 || status === 410 || (status < 500 && modelProblems.test(words)))
    return serviceFailures.modelGone;
  if (status === 413 || photoProblems.test(code) || (status < 500 && /^(image|mask)/.test(field)))
    return serviceFailures.photoUnusable;
  if (status === 429) return serviceFailures.tooMany;
  if (status === 408 || status === 409 || status >= 500) return serviceFailures.serverError;
  return serviceFailures.settingRefused;
}

function saidIn(body: unknown): Said {
  const answer = asObject(body);
  const { error, detail } = answer;
  if (typeof error === 'object' && error !== null) {
    const told = asObject(error);
    return {
      code: textOf(told.code) || textOf(told.type),
      text: textOf(told.message),
      field: textOf(told.param),
      stage: textOf(told.moderation_stage),
    };
  }
  const [first] = Array.isArray(detail) ? detail.map(asObject) : [];
  if (first)
    return {
      code: textOf(first.type),
      // Never `input`, which repeats the prompt or the photo.
      text: textOf(first.msg),
      field: placeOf(first.loc),
      stage: '',
    };
  return {
    code: textOf(answer.error_type),
    text: textOf(error) || textOf(detail) || textOf(answer.message),
    field: '',
    stage: '',
  };
}

/** The field that a validation error is about, without `body` and the numbers of list items. */
function placeOf(loc: unknown): string {
  const parts = Array.isArray(loc) ? loc.filter((part) => typeof part === 'string' && part !== 'body') : [];
  return parts.join('.');
}

/** What a call that was not answered, or not in JSON, comes to. */
export function readCallFailure(error: UpstreamError): ServiceError {
  const row =
    error.kind === 'garbage' || error.kind === 'too large'
      ? serviceFailures.malformed
      : neverConnected(error)
        ? serviceFailures.unreachable
        : serviceFailures.lost;
  return new ServiceError(row, error.message, { cause: error });
}

export interface FailureChoices {
  /** How many requests of this job may have been charged before without giving anything. */
  lostBefore: number;
  /** Whether another engine may make what the service refused by its rules for content. */
  refusedFallsBack: boolean;
}

/** How a run ends by a failure. */
export function serviceErrorOf(error: ServiceError, choices: FailureChoices): AppError {
  const { whose, again, sentence } = error.failure;
  const isWorthMore = again === 'yes' || (again === 'once' && choices.lostBefore === 0);
  if (isWorthMore) return engineBroke(sentence, error);
  return whose === 'photo' && !choices.refusedFallsBack
    ? cannotMake(sentence, error)
    : engineUnfit(sentence, error);
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Errors of calls as failures of the service; all others as they are. */
export function asServiceError(error: unknown): unknown {
  return error instanceof UpstreamError ? readCallFailure(error) : error;
}
