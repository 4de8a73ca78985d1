import type { ErrorCode } from '@guise/contract/error-codes.ts';

/** What the command line, the start and the engines say: it never reaches a caller as an error code. */
type InternalCode =
  | 'ACCOUNT_EXISTS'
  | 'BAD_EMAIL'
  | 'BAD_SETTING'
  | 'CATALOG_BROKEN'
  | 'DATA_FOLDER_IN_USE'
  | 'DISK'
  | 'ENGINE_BROKE'
  | 'ENGINE_REFUSED'
  | 'JOB_UNREADABLE'
  | 'LEDGER'
  | 'MODEL_UNUSABLE'
  | 'MOVE_REFUSED'
  | 'NO_SUCH_ACCOUNT'
  | 'NO_SUCH_KEY'
  | 'OLD_NODE'
  | 'USAGE';

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
