import type { AppError, AppErrorCode } from '../../../errors.ts';
import type { ErrorAnswer } from '../error-answer.ts';

/** What OpenAI's libraries make an exception of: its class by the status, and the code that programs compare. */
interface Translation {
  status: number;
  code?: string;
  param?: string;
}

const modelNotFound = { status: 404, code: 'model_not_found', param: 'model' } as const;

/** Codes that OpenAI has another status or name for. */
const translated: Partial<Record<AppErrorCode, Translation>> = {
  UNAUTHORIZED: { status: 401, code: 'invalid_api_key' },
  INSUFFICIENT_CREDITS: { status: 429, code: 'insufficient_quota' },
  RATE_LIMITED: { status: 429, code: 'rate_limit_exceeded' },
  FILTER_NOT_FOUND: modelNotFound,
  WORKFLOW_FETCH_FAILED: modelNotFound,
  FILTER_BLOCKED: { status: 400, param: 'model' },
  FILTER_TYPE_MISMATCH: { status: 400, param: 'model' },
};

const typeOf = (status: number, code: string) => {
  if (code === 'insufficient_quota') return code;
  if (status === 429) return 'requests';
  return status >= 500 ? 'server_error' : 'invalid_request_error';
};

/** The status that OpenAI has for an error; `status` is what it has elsewhere. */
export const openAiStatusOf = (code: AppErrorCode, status: number): number =>
  translated[code]?.status ?? (status === 422 ? 400 : status);

/** An error in the shape that OpenAI's libraries read. `status` is what the error has elsewhere. */
export function openAiError(error: AppError, status: number): ErrorAnswer {
  const known: Partial<Translation> = translated[error.code] ?? {};
  const answered = openAiStatusOf(error.code, status);
  const code = known.code ?? error.code.toLowerCase();
  const param = known.param ?? (error.fields?.[0]?.path || null);
  // Libraries repeat what may work later by themselves: not where a job was accepted, or credits are missing.
  const mayRepeat = error.headers?.['retry-after'] !== undefined && error.code !== 'JOB_NOT_ENDED';
  return {
    status: answered,
    headers: { ...error.headers, 'x-should-retry': String(mayRepeat) },
    text: JSON.stringify({
      error: { message: error.message, type: typeOf(answered, code), param, code },
    }),
  };
}
