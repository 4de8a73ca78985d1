import type { ErrorCode } from '@guise/contract/error-codes.ts';

/** What a code says of a job that fails with it. */
export interface JobFailure {
  /** Whether it is a fault of the server, kept for the operator. Else it is the request's. */
  isOfServer: boolean;
  /** Whether an engine says it of the request: unless another try helps, its time is lost through the request. */
  isOfEngine: boolean;
}

const noFailureOfJobs: JobFailure = { isOfServer: false, isOfEngine: false };

/** What the command line, the start and the engines say: it never reaches a caller as an error code. */
const internalCodes = {
  BACKUP_REFUSED: noFailureOfJobs,
  BAD_EMAIL: noFailureOfJobs,
  BAD_SETTING: noFailureOfJobs,
  CATALOG_BROKEN: noFailureOfJobs,
  DATABASE: noFailureOfJobs,
  DATA_FOLDER_IN_USE: noFailureOfJobs,
  DESCRIPTORS: noFailureOfJobs,
  DISK: noFailureOfJobs,
  ENGINE_BROKE: { isOfServer: true, isOfEngine: true },
  ENGINE_REFUSED: { isOfServer: false, isOfEngine: true },
  JOB_UNREADABLE: { isOfServer: true, isOfEngine: false },
  LEDGER: noFailureOfJobs,
  MODEL_UNUSABLE: noFailureOfJobs,
  MOVE_REFUSED: noFailureOfJobs,
  NO_SUCH_ACCOUNT: noFailureOfJobs,
  NO_SUCH_KEY: noFailureOfJobs,
  OLD_NODE: noFailureOfJobs,
  USAGE: noFailureOfJobs,
} as const satisfies Record<string, JobFailure>;
type InternalCode = keyof typeof internalCodes;

export type AppErrorCode = ErrorCode | InternalCode;

/** An error whose sentence may be shown to the caller. Anything else that is thrown is a bug and answers `INTERNAL_ERROR`. */
export class AppError extends Error {
  readonly code: AppErrorCode;
  readonly retryable: boolean;
  readonly fields: FieldProblem[] | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: AppErrorCode, sentence: string, options: AppErrorOptions = {}) {
    super(sentence, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.fields = options.fields;
    this.headers = options.headers;
  }
}

/** Whose failure it is when a job fails with this error. */
export function failureOf({ code }: Pick<AppError, 'code'>): JobFailure {
  return isInternal(code) ? internalCodes[code] : noFailureOfJobs;
}

const isInternal = (code: AppErrorCode): code is InternalCode => code in internalCodes;

export interface FieldProblem {
  path: string;
  message: string;
}

export interface AppErrorOptions {
  cause?: unknown;
  retryable?: boolean;
  fields?: FieldProblem[];
  /** Response headers that belong to the error, such as `Retry-After`. */
  headers?: Record<string, string>;
}

/** 400 for one field of a request: `message` says what it must be. */
export function invalidField(path: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${path}: ${message}.`, { fields: [{ path, message }] });
}

/** How much of something a caller may have, and when it may have more. */
export interface Quota {
  limit: number;
  resetSeconds: number;
}

/** The `RateLimit` headers of a quota, in the form of one header and in that of three: clients read either. */
export function rateLimitHeaders({ limit, resetSeconds }: Quota, remaining: number): Record<string, string> {
  return {
    ratelimit: `limit=${limit}, remaining=${remaining}, reset=${resetSeconds}`,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  };
}

/** 429, with what is left of the quota, which is nothing, and when to come back. */
export function rateLimited(sentence: string, quota: Quota): AppError {
  return new AppError('RATE_LIMITED', sentence, {
    headers: { ...rateLimitHeaders(quota, 0), 'retry-after': String(quota.resetSeconds) },
  });
}

/** Whether the process or the machine has as many files and connections open as it may have. */
export function isDescriptorShortage(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}

const shortageCodes = new Set(['EADDRINUSE', 'ENOSPC', 'EMLINK']);

/** Whether the machine is short of something for now: descriptors, ports, space on a disk, links of a file. */
export function isShortage(error: unknown): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  return isDescriptorShortage(error) || shortageCodes.has(String(code));
}
