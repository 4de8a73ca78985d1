/** An error whose sentence may be shown to the caller. Anything else that is thrown is a bug and answers `INTERNAL_ERROR`. */
export class AppError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly fields: FieldProblem[] | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: string, sentence: string, options: AppErrorOptions = {}) {
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
