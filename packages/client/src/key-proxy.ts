import { familyPaths } from '@guise/contract/families/family-paths.ts';
import { joinBytes, readPieces } from './bytes.ts';

export interface KeyProxyOptions {
  /** Where Guise listens. */
  baseUrl: string;
  /** The key, which never leaves this server. One with the scope `run` alone is enough. */
  apiKey: string;
  /** Where the proxy is mounted, such as `/api/guise`: the `baseUrl` of the client in the page. */
  prefix: string;
  /** Whether this visitor may use the key. Every run costs credits, so check your own session, origin or limit here. */
  authorize(request: Request): boolean | Promise<boolean>;
  /** More than the default: such as `GET /v1/users/me/my-custom-filters`. `{…}` stands for one part of a path. */
  allow?: readonly string[] | undefined;
  /** The largest body that is passed on; 30 MB by default. */
  maxBodyBytes?: number | undefined;
  fetch?: typeof globalThis.fetch | undefined;
}

/** What a page needs to make pictures: nothing about the account, its other jobs or its keys. */
const allowedRoutes: readonly string[] = [
  ...Object.values(familyPaths).flatMap(({ run, status }) => [`POST ${run}`, `POST ${status}`]),
  'GET /v1/jobs/{id}/events',
  'POST /v1/jobs/{id}/cancel',
  'GET /v6/filters',
  'GET /v1/realistic_multiswap_styles/',
  'GET /v1/stylized_multiswap_styles/',
  'GET /v1/prices',
];

const passedOn = ['accept', 'content-type', 'idempotency-key', 'last-event-id', 'prefer'];
const passedBack = ['content-type', 'retry-after', 'x-request-id', 'cache-control', 'etag'];

/**
 * A handler for servers that hold the key on behalf of a page: it takes the requests of a client whose `baseUrl` is
 * `prefix`, adds the key, and passes them on. Everything else is 404.
 */
export function createKeyProxy(options: KeyProxyOptions): (request: Request) => Promise<Response> {
  const { apiKey, maxBodyBytes = 30 * 1024 * 1024 } = options;
  const [baseUrl, prefix] = [options.baseUrl, options.prefix].map((text) => text.replace(/\/+$/, ''));
  const routes = [...allowedRoutes, ...(options.allow ?? [])].map(patternOf);
  return async (request) => {
    const { pathname, search } = new URL(request.url);
    const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix!.length) : '';
    if (!routes.some((route) => route.test(`${request.method} ${path}`)))
      return errorResponse(404, 'NOT_FOUND', 'There is nothing at this path.');
    if (!(await options.authorize(request)))
      return errorResponse(401, 'UNAUTHORIZED', 'This visitor may not use the service.');
    try {
      // A visitor who drops while the body is sent makes it throw.
      const body = await readBody(request, maxBodyBytes);
      if (body === 'too large') return errorResponse(413, 'PAYLOAD_TOO_LARGE', 'The body is too large.');
      const response = await (options.fetch ?? fetch)(`${baseUrl}${path}${search}`, {
        method: request.method,
        headers: { ...pick(request.headers, passedOn), 'x-api-key': apiKey },
        ...(body && { body }),
        signal: request.signal,
      });
      return new Response(response.body, {
        status: response.status,
        headers: pick(response.headers, passedBack),
      });
    } catch {
      return errorResponse(502, 'NETWORK_ERROR', 'The server cannot be reached. Try again later.');
    }
  };
}

/** A part in braces is an id; a path may end in a slash or not. */
function patternOf(route: string): RegExp {
  const escaped = route.replace(/\/$/, '').replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[\\w-]+')}/?$`);
}

function pick(headers: Headers, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names
      .map((name) => [name, headers.get(name)] as const)
      .filter((pair): pair is [string, string] => pair[1] !== null),
  );
}

/** The whole body, so that one that lies about its length is noticed before it is passed on. */
async function readBody(
  request: Request,
  mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined | 'too large'> {
  if (!request.body) return undefined;
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes) return 'too large';
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of readPieces(request.body)) {
    length += piece.length;
    if (length > mostBytes) return 'too large';
    pieces.push(piece);
  }
  return joinBytes(pieces);
}

/** As Guise itself writes errors, for the client in the page. */
export function errorResponse(status: number, code: string, sentence: string): Response {
  return Response.json({ error_code: code, error: sentence, detail: sentence }, { status });
}
