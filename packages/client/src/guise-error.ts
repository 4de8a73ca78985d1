import type { ErrorCode } from '@guise/contract/error-codes.ts';

/** What the server answered instead of a result, or that it could not be reached. */
export class GuiseError extends Error {
  override readonly name = 'GuiseError';
  /** A code of docs/errors.md; `NETWORK_ERROR` when there was no answer. */
  readonly code: ErrorCode | 'NETWORK_ERROR' | (string & {});
  /** 0 when there was no answer. */
  readonly status: number;
  readonly requestId: string | undefined;
  /** What is wrong with which field of the request. */
  readonly fields: readonly { path: string; message: string }[];
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, of: ErrorParts) {
    super(message, { cause: of.cause });
    this.code = of.code;
    this.status = of.status ?? 0;
    this.requestId = of.requestId;
    this.fields = of.fields ?? [];
    this.retryAfterSeconds = of.retryAfterSeconds;
  }

  /** Whether the same request may succeed later. */
  get retryable(): boolean {
    return this.code === 'NETWORK_ERROR' || this.status === 429 || this.status >= 502;
  }
}

interface ErrorParts {
  code: string;
  status?: number;
  requestId?: string | undefined;
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
export function errorOf(status: number, text: string, header: (name: string) => string | null): GuiseError {
  const body = parseObject(text);
  const retryAfter = Number(header('retry-after') ?? Number.NaN);
  return new GuiseError(
    typeof body.error === 'string' ? body.error : `The server answered with status ${status}.`,
    {
      code: typeof body.error_code === 'string' ? body.error_code : `HTTP_${status}`,
      status,
      requestId: header('x-request-id') ?? undefined,
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
