import type { NewQuickTestRun, QuickTest, QuickTestRun } from '@guise/contract/quick-tests.ts';
import { type RequestOptions, Transport } from './transport.ts';

/** What the guest of a quick test link can do. The token of the link is all that a guest has: no account, no session. */
export function quickTestGuestApi(baseUrl: string, token: string) {
  const transport = new Transport({ baseUrl });
  const headers = { 'x-quick-test': token };
  return {
    get: (signal?: AbortSignal) => transport.request<QuickTest>('GET', '/v1/quick_test', { headers, signal }),
    start: (body: NewQuickTestRun, options: Pick<RequestOptions, 'signal' | 'onUpload'> = {}) =>
      transport.request<{ id: string }>('POST', '/v1/quick_test/runs', { body, headers, ...options }),
    /** Answers when the run has ended, or how far it is after `waitSeconds`. */
    run: (id: string, waitSeconds: number, signal?: AbortSignal) =>
      transport.request<QuickTestRun>('GET', `/v1/quick_test/runs/${id}`, {
        headers: { ...headers, prefer: `wait=${waitSeconds}` },
        signal,
      }),
  };
}
export type QuickTestGuestApi = ReturnType<typeof quickTestGuestApi>;
