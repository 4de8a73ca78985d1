import type { LookUpCaller } from './name-lookup.ts';
import { connectSafely, parseAllowedUrl, type SafeConnectOptions } from './safe-connect.ts';

/** A small body, and whose it is. */
export interface PostedMessage {
  accountId: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends a small body to a caller's URL and returns the status of the answer. Redirects are not followed. Rejects with
 * a `TimeoutError` when there is no answer in time, whatever was waited for.
 */
export function safePoster(options: SafeConnectOptions) {
  return async (to: string, { accountId, ...message }: PostedMessage): Promise<number> => {
    const signal = AbortSignal.timeout(options.timeoutMs);
    try {
      return await post(parseAllowedUrl(to), message, options, { accountId, signal });
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    }
  };
}

async function post(
  url: URL,
  message: Omit<PostedMessage, 'accountId'>,
  options: SafeConnectOptions,
  asked: LookUpCaller,
): Promise<number> {
  const client = await connectSafely(url, options, asked);
  try {
    const answer = await client.request({
      ...message,
      method: 'POST',
      path: url.pathname + url.search,
      signal: asked.signal,
    });
    answer.body.on('error', () => {}).destroy();
    return answer.statusCode;
  } finally {
    client.destroy().catch(() => {});
  }
}
