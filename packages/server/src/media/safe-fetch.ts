import type { Dispatcher } from 'undici';
import type { Gate } from '../admission/gate.ts';
import { AppError } from '../errors.ts';
import { type FileKind, imageKind, tooLarge } from './file-kind.ts';
import type { LookUpCaller } from './name-lookup.ts';
import { connectSafely, parseAllowedUrl, type SafeConnectOptions } from './safe-connect.ts';

export interface SafeFetchOptions extends SafeConnectOptions {
  maxBytes: number;
  /** What the URL is of; an image unless it says otherwise. */
  kind?: FileKind;
  /** Where accounts take turns. */
  gate?: Gate;
}

/** Whose call leads to a URL; the signal aborts when the caller hangs up. */
export interface FetchCaller {
  accountId: string;
  signal?: AbortSignal | undefined;
}

/** Without a caller it is the server's own. */
export type FetchUrl = (url: string, asked?: FetchCaller) => Promise<Buffer>;

const server: FetchCaller = { accountId: '' };

const maxRedirects = 3;
const redirects = new Set([301, 302, 303, 307, 308]);

/** Object stores also send an empty encoding, `aws-chunked` or `utf-8`, which say nothing of the file. */
const compression = /gzip|compress|deflate|\bbr\b|zstd/i;

const requestHeaders = {
  // A compressed answer would have to be decompressed, and compression saves nothing on an image.
  'accept-encoding': 'identity',
  'user-agent': 'guise',
};

/** Fetches what a caller's URL leads to. Every redirect is checked like the URL itself. */
export function safeFetcher(options: SafeFetchOptions): FetchUrl {
  const { noun, invalid } = options.kind ?? imageKind;
  const fetchUrl: FetchUrl = async (input, { accountId, signal: hungUp } = server) => {
    const limit = AbortSignal.timeout(options.timeoutMs);
    const signal = hungUp ? AbortSignal.any([hungUp, limit]) : limit;
    try {
      let url = parseAllowedUrl(input);
      for (let hop = 0; hop <= maxRedirects; hop++) {
        const answer = await get(url, options, { accountId, signal });
        if (Buffer.isBuffer(answer)) return answer;
        url = parseAllowedUrl(answer.location, url);
      }
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      if (limit.aborted) throw invalid(`The ${noun} URL took too long to answer.`, cause);
      throw invalid(`The ${noun} URL could not be fetched.`, cause);
    }
    throw invalid(`The ${noun} URL redirects too often.`);
  };
  const { gate } = options;
  if (!gate) return fetchUrl;
  return (input, asked = server) =>
    gate.run(asked.accountId, () => fetchUrl(input, asked), asked.signal && { signal: asked.signal });
}

/** The body, or where the answer redirects to. */
async function get(
  url: URL,
  options: SafeFetchOptions,
  asked: LookUpCaller,
): Promise<Buffer | { location: string }> {
  const kind = { ...(options.kind ?? imageKind), maxBytes: options.maxBytes };
  const client = await connectSafely(url, options, asked);
  try {
    const response = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: { accept: kind.accept, ...requestHeaders },
      signal: asked.signal,
    });
    const { location } = response.headers;
    if (redirects.has(response.statusCode) && typeof location === 'string') return { location };
    return await readBody(response, kind);
  } finally {
    // Not awaited: a server that keeps its end open must not hold up the caller.
    client.destroy().catch(() => {});
  }
}

async function readBody(response: Dispatcher.ResponseData, kind: FileKind): Promise<Buffer> {
  const { noun, maxBytes, invalid } = kind;
  const { headers, statusCode, body } = response;
  if (statusCode !== 200) throw invalid(`The ${noun} URL answered with status ${statusCode}.`);
  if (compression.test(String(headers['content-encoding'] ?? ''))) {
    throw invalid(`The ${noun} URL answered with a compressed body, which is not supported.`);
  }
  if (Number(headers['content-length']) > maxBytes) throw tooLarge(kind);
  const chunks: Buffer[] = [];
  let received = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    received += chunk.length;
    if (received > maxBytes) throw tooLarge(kind);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, received);
}
