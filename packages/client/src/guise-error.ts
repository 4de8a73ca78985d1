import type { ErrorCode } from '@guise/contract/error-codes.ts';

/** Codes of the interface, three of the client, and `HTTP_` with the status for what a proxy answered. */
export type GuiseErrorCode = ErrorCode | ClientErrorCode | `HTTP_${number}` | (string & {});

type ClientErrorCode = 'NETWORK_ERROR' | 'JOB_FAILED' | 'UPLOAD_STOPPED';

/** What the server answered instead of a result, or that it could not be reached. */
export class GuiseError extends Error {
  override readonly name = 'GuiseError';
  /**
   * A code of the interface; `NETWORK_ERROR` when there was no answer, `JOB_FAILED` when a job ended without a result,
   * `UPLOAD_STOPPED` when the server takes no more of an upload.
   */
  readonly code: GuiseErrorCode;
  /** The HTTP status; 0 when there was no answer, or the answer told of a failed job. */
  readonly status: number;
  /** What the server has logged the request under. */
  readonly requestId: string | undefined;
  /** The job that failed. */
  readonly jobId: string | undefined;
  /** What is wrong with which field of the request. */
  readonly fields: readonly { path: string; message: string }[];
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, of: ErrorParts) {
    super(message, { cause: of.cause });
    this.code = of.code;
    this.status = of.status ?? 0;
    this.requestId = of.requestId;
    this.jobId = of.jobId;
    this.fields = of.fields ?? [];
    this.retryAfterSeconds = of.retryAfterSeconds;
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    if (this.code === 'QUICK_TEST_USED_UP') return false;
    return this.code === 'NETWORK_ERROR' || this.status === 429 || this.status >= 500;
  }
}

interface ErrorParts {
  code: string;
  status?: number;
  requestId?: string | undefined;
  jobId?: string | undefined;
  fields?: readonly { path: string; message: string }[];
  retryAfterSeconds?: number | undefined;
  cause?: unknown;
}

export function networkError(cause: unknown): GuiseError {
  return new GuiseError('The server cannot be reached. Check the connection and try again.', {
    code: 'NETWORK_ERROR',
    cause,
  });
}

/** Reads an error answer. What is not JSON came from a proxy in between. */
export function errorOf(
  status: number,
  text: string,
  headers: { get(name: string): string | null },
): GuiseError {
  const body = parseObject(text);
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new GuiseError(
    typeof body.error === 'string' ? body.error : `The server answered with status ${status}.`,
    {
      code: typeof body.error_code === 'string' ? body.error_code : `HTTP_${status}`,
      status,
      requestId: headers.get('x-request-id') ?? undefined,
      fields: Array.isArray(body.fields) ? body.fields : [],
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    },
  );
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
