import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { errorText, methodNotAllowed, notFound, publicError } from './answer-error.ts';
import { authenticate } from './auth.ts';
import { hasBody, readBody } from './body.ts';
import { type Call, Reply } from './call.ts';
import { errorStatus } from './error-status.ts';
import type { HttpParts } from './parts.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';

export interface HttpServer {
  listen(port: number, host: string): Promise<string>;
  /**
   * Answers what was asked, closes each connection once it is idle and cuts those that hold out for `graceMs`. Node by
   * itself waits out the keep-alive time of every connection that was busy when the closing began.
   */
  close(graceMs: number): Promise<void>;
}

export interface Timeouts {
  /** From the connection, or the first byte of a further request, to the last header. */
  headersMs: number;
  /** To the end of the body. */
  requestMs: number;
  /** How often connections are looked through for those. */
  lookMs: number;
}

/** Slow clients cannot hold connections for long. */
export const usualTimeouts: Timeouts = { headersMs: 10_000, requestMs: 60_000, lookMs: 2000 };

const smallBody = 64 * 1024;
const json = 'application/json; charset=utf-8';

/**
 * The routes on node:http. Fastify was measured here first: with its hooks and reply it took 42 µs for the emptiest
 * answer where node:http takes 22, and a status poll has 36 in all (docs/decisions/002-http.md).
 */
export function httpServer(parts: HttpParts, timeouts = usualTimeouts): HttpServer {
  const router = routerOf(routes);
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: timeouts.lookMs,
      keepAliveTimeout: 72_000,
    },
    (request, response) => void answer(parts, router, request, response),
  );
  server.on('clientError', refuseMalformed);
  return {
    async listen(port, host) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, resolve);
      });
      const address = server.address() as AddressInfo;
      const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      return `http://${shown}:${address.port}`;
    },
    async close(graceMs) {
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const cut = setTimeout(() => server.closeAllConnections(), graceMs);
      await new Promise((resolve) => server.close(resolve));
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

type Router = ReturnType<typeof routerOf>;

function routerOf(table: readonly Route[]) {
  const router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: 500 });
  for (const route of table) {
    // `{id}` of the interface is `:id` of the router.
    const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
    router.on(route.method === 'GET' ? ['GET', 'HEAD'] : route.method, path, () => {}, route);
  }
  return router;
}

async function answer(
  parts: HttpParts,
  router: Router,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const started = performance.now();
  const id = requestId();
  let path = 'none';
  try {
    const found = router.find(request.method as HTTPMethod, request.url!);
    if (!found) throw refusal(router, request.url!);
    const route = found.store as Route;
    path = route.path;
    const call: Call = {
      id,
      method: request.method!,
      headers: request.headers,
      params: found.params,
      query: found.searchParams,
      body: undefined,
      fingerprint: null,
      caller: null,
      request,
      response,
    };
    // Before the body is read: a stranger's 28 MB are not worth reading.
    if (route.access === 'account') call.caller = await authenticate(parts, call);
    if (route.bodyKind !== 'none')
      await readBody(call, route.bodyKind, route.maxBody ?? smallBody, route.path);
    else if (hasBody(request)) request.resume();
    const sending = send(response, id, route.success.status, await route.handle(parts, call));
    if (sending) await sending;
  } catch (error) {
    if (response.headersSent || response.destroyed) response.destroy();
    else sendError(parts, request, response, id, error);
  }
  parts.metrics.answered(path, response.statusCode, (performance.now() - started) / 1000);
}

/** Text and bytes go at once; a stream is waited for, so that closing the server waits for it too. */
function send(
  response: ServerResponse,
  id: string,
  status: number,
  result: unknown,
): Promise<void> | undefined {
  if (!(result instanceof Reply)) {
    if (result === undefined) {
      response.writeHead(status, { 'x-request-id': id }).end();
      return undefined;
    }
    const text = JSON.stringify(result);
    const length = Buffer.byteLength(text);
    response
      .writeHead(status, {
        'content-type': json,
        'content-length': length,
        'x-request-id': id,
      })
      // Plain ASCII, as nearly every answer is, needs no conversion.
      .end(text, length === text.length ? 'latin1' : 'utf8');
    return undefined;
  }
  const { body, headers } = result;
  const length =
    typeof body === 'string' || Buffer.isBuffer(body) ? { 'content-length': Buffer.byteLength(body) } : {};
  response.writeHead(result.status ?? status, { 'x-request-id': id, ...length, ...headers });
  // A caller who is already gone makes `pipeline` refuse without closing what it was to send.
  if (body instanceof Readable) return pipeline(body, response).finally(() => body.destroy());
  response.end(body);
  return undefined;
}

/** The only place where an error's status is chosen. */
function sendError(
  parts: HttpParts,
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  error: unknown,
): void {
  const known = publicError(error);
  if (known.code === 'INTERNAL_ERROR') parts.log.error({ err: error, request_id: id }, 'request failed');
  const text = errorText(known, id);
  const unread = !request.complete && hasBody(request);
  response.writeHead(errorStatus[known.code]!.status, {
    'content-type': json,
    'content-length': Buffer.byteLength(text),
    'x-request-id': id,
    ...known.headers,
    // A body that was not read to its end cannot be followed by another request.
    ...(unread && { connection: 'close' }),
  });
  if (!unread) {
    response.end(text);
    return;
  }
  response.write(text);
  endAfterBody(request, response);
}

/** Connections that have had their last answer: what else is wrong with them is not worth a second one. */
const answered = new WeakSet<Socket>();

/** What a client gets to send the rest of a body that was refused. */
const drainMs = 10_000;

/**
 * Python's clients and others read no answer before they have sent their all: closed at once, they would see a broken
 * pipe instead of why. So what they send is let pass for a while.
 */
function endAfterBody(request: IncomingMessage, response: ServerResponse): void {
  const end = () => {
    clearTimeout(limit);
    response.end();
  };
  const limit = setTimeout(end, drainMs);
  answered.add(request.socket);
  request.once('end', end).once('close', end).resume();
}

const methods = ['POST', 'GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'] as const;

function refusal(router: Router, url: string): AppError {
  const allowed = methods.filter((method) => router.find(method, url) !== null);
  return allowed.length > 0 ? methodNotAllowed(allowed) : notFound();
}

/** Drawing random numbers for each request would cost more than finding its route. */
const series = newId().slice(0, 18);
let serial = 0;
function requestId(): string {
  serial = (serial + 1) % 0x1_0000_0000;
  return `${series}-${serial.toString(16).padStart(8, '0')}`;
}

/** What a refused client gets to read why. */
const lingerMs = 1000;

/** What is not even HTTP never reaches a route, and is answered in the shape of every error all the same. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || answered.has(socket)) {
    socket.destroy();
    return;
  }
  const late = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const sentence = late ? 'The request took too long to arrive.' : 'The request is not valid HTTP.';
  const text = errorText(new AppError('VALIDATION_ERROR', sentence), requestId());
  const head = [
    `HTTP/1.1 ${late ? '408 Request Timeout' : '400 Bad Request'}`,
    `content-type: ${json}`,
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  // A client that neither reads the answer nor hangs up would keep its half of the connection open.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
