import { connectSafely, parseAllowedUrl, type SafeConnectOptions } from './safe-connect.ts';

/**
 * Sends a small body to a caller's URL and returns the status of the answer. Redirects are not followed. Rejects with
 * a `TimeoutError` when there is no answer in time, whatever was waited for.
 */
export function safePoster(options: SafeConnectOptions) {
  return async (to: string, headers: Record<string, string>, body: string): Promise<number> => {
    const signal = AbortSignal.timeout(options.timeoutMs);
    try {
      return await post(parseAllowedUrl(to), { headers, body }, options, signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  };
}

async function post(
  url: URL,
  message: { headers: Record<string, string>; body: string },
  options: SafeConnectOptions,
  signal: AbortSignal,
): Promise<number> {
  const client = await connectSafely(url, options, signal);
  try {
    const answer = await client.request({
      ...message,
      method: 'POST',
      path: url.pathname + url.search,
      signal,
    });
    answer.body.on('error', () => {}).destroy();
    return answer.statusCode;
  } finally {
    client.destroy().catch(() => {});
  }
}
