import { connectSafely, parseAllowedUrl, type SafeConnectOptions } from './safe-connect.ts';

/** Sends a small body to a caller's URL and returns the status of the answer. Redirects are not followed. */
export function safePoster(options: SafeConnectOptions) {
  return async (to: string, headers: Record<string, string>, body: string): Promise<number> => {
    const signal = AbortSignal.timeout(options.timeoutMs);
    const url = parseAllowedUrl(to);
    const client = await connectSafely(url, options, signal);
    try {
      const path = url.pathname + url.search;
      const answer = await client.request({ method: 'POST', path, headers, body, signal });
      answer.body.on('error', () => {}).destroy();
      return answer.statusCode;
    } finally {
      client.destroy().catch(() => {});
    }
  };
}
