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
  once(event: 'close' | 'drain', listener: () => void): unknown;
}

/**
 * A handler of web requests, such as `createKeyProxy` gives, for `http.createServer`, Express or Connect. Mount it before
 * anything that parses bodies.
 */
export function toNodeHandler(
  handle: (request: Request) => Promise<Response>,
): (request: NodeRequest & { originalUrl?: string }, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const left = new AbortController();
    response.once('close', () => left.abort());
    const answer = await handle(webRequest(request, left.signal));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    try {
      for (const reader = answer.body?.getReader(); reader; ) {
        const { value, done } = await reader.read();
        if (done) break;
        if (!response.write(value)) await drained(response);
      }
    } catch {
      // One of the two ends is gone: there is nobody to tell.
    }
    response.end();
  };
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
