import { readPieces } from './bytes.ts';
import { errorResponse } from './key-proxy.ts';

/** What is used of Node's `IncomingMessage` and `ServerResponse`. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  url?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
}
export interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  write(bytes: Uint8Array): boolean;
  end(): unknown;
  destroy(): unknown;
  once(event: 'close' | 'drain', listener: () => void): unknown;
}

/**
 * A handler of web requests, such as `createKeyProxy` gives, for `http.createServer`, Express or Connect. Mount it before
 * anything that parses bodies. It never rejects: whatever a visitor sends must not end the process. `onError` is told
 * what `handle` throws, such as a session that `authorize` could not read; `console.error` by default.
 */
export function toNodeHandler(
  handle: (request: Request) => Promise<Response>,
  onError: (error: unknown) => void = (error) => console.error(error),
): (request: NodeRequest & { originalUrl?: string }, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const answer = await answerTo(request, left.signal, { handle, onError });
    try {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      for await (const piece of readPieces(answer.body ?? new Blob([]).stream())) {
        left.signal.throwIfAborted();
        if (!response.write(piece)) await drained(response);
      }
      response.end();
    } catch {
      // One of the two ends is gone. What was sent so far must not look like the whole.
      response.destroy();
    }
  };
}

interface Handling {
  handle(request: Request): Promise<Response>;
  onError(error: unknown): void;
}

/** What is answered, also to what is no request and where there is no answer. */
async function answerTo(
  request: NodeRequest & { originalUrl?: string },
  signal: AbortSignal,
  { handle, onError }: Handling,
): Promise<Response> {
  let asked: Request;
  try {
    asked = webRequest(request, signal);
  } catch {
    // Such as the path `//` and the method TRACE.
    return errorResponse(400, 'HTTP_400', 'The request cannot be read.');
  }
  try {
    return await handle(asked);
  } catch (error) {
    if (!signal.aborted) onError(error);
    return errorResponse(500, 'INTERNAL_ERROR', 'The request could not be answered.');
  }
}

/** Resolves also when the other end is gone, which never drains. */
function drained(response: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    response.once('close', resolve);
  });
}

function webRequest(request: NodeRequest & { originalUrl?: string }, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined) headers.append(name, one);
  const method = request.method ?? 'GET';
  const hasBody = method !== 'GET' && method !== 'HEAD';
  // Node takes an iterable for a body and wants to be told that the answer may begin before its end.
  const body = hasBody
    ? { body: request as unknown as ReadableStream<Uint8Array>, duplex: 'half' as const }
    : {};
  const path = request.originalUrl ?? request.url ?? '/';
  return new Request(new URL(path, 'http://proxy.invalid'), { method, headers, signal, ...body });
}
