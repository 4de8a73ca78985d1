import fastify, { type FastifyInstance, type HTTPMethods } from 'fastify';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { errorAnswers, errorBody, methodNotAllowed, notFound } from './answer-error.ts';
import { authenticate } from './auth.ts';
import { readBodies } from './body.ts';
import type { HttpParts } from './parts.ts';
import { type Route, routes } from './routes.ts';

export interface Timeouts {
  /** From the connection, or the first byte of a further request, to the last header. */
  headersMs: number;
  /** To the end of the body. */
  requestMs: number;
  /** How often connections are looked through for those. */
  lookMs: number;
}

/** Slow clients cannot hold connections for long. */
const usualTimeouts: Timeouts = { headersMs: 10_000, requestMs: 60_000, lookMs: 2000 };

export async function httpServer(
  parts: HttpParts,
  timeouts: Timeouts = usualTimeouts,
): Promise<FastifyInstance> {
  const answerError = errorAnswers(parts.log);
  const app = fastify({
    requestTimeout: timeouts.requestMs,
    keepAliveTimeout: 72_000,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    genReqId: () => newId(),
    forceCloseConnections: 'idle',
    http: { headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.lookMs },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: answerError,
    clientErrorHandler: refuseMalformed,
    return503OnClosing: false,
    exposeHeadRoutes: false,
  });
  app.decorateRequest('caller', null);
  readBodies(app);

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    parts.metrics.answered(request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) => answerError(notFound(), request, reply));

  for (const [path, sharing] of Map.groupBy(routes, (route) => urlOf(route.path))) {
    for (const route of sharing) addRoute(app, parts, path, route);
    refuseOtherMethods(app, path, sharing);
  }
  return app;
}

/**
 * Answers what was asked, closes each connection once it is idle and cuts those that hold out for `graceMs`. Node by
 * itself waits out the keep-alive time of every connection that was busy when the closing began.
 */
export async function closeServer(app: FastifyInstance, graceMs: number): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
  await app.close();
  clearInterval(idle);
  clearTimeout(cut);
}

/** `{id}` of the interface is `:id` of the router; the trailing slash is the router's to ignore. */
function urlOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1').replace(/(.)\/$/, '$1');
}

function addRoute(app: FastifyInstance, parts: HttpParts, url: string, route: Route): void {
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url,
    config: { body: route.bodyKind, ...(route.maxBody && { maxBody: route.maxBody }) },
    ...(route.access === 'account' && {
      // Before the body is read: a stranger's 28 MB are not worth reading.
      onRequest: async (request) => {
        request.caller = await authenticate(parts.db, request);
      },
    }),
    handler: async (request, reply) => {
      if (route.success.status !== 200) reply.code(route.success.status);
      const answer = await route.handle(parts, request, reply);
      return reply.sent || answer !== undefined ? answer : reply.send();
    },
  });
}

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

function refuseOtherMethods(app: FastifyInstance, url: string, sharing: readonly Route[]): void {
  const allowed = sharing.flatMap((route) => (route.method === 'GET' ? ['GET', 'HEAD'] : [route.method]));
  app.route({
    method: methods.filter((method) => !allowed.includes(method)),
    url,
    handler: async () => {
      throw methodNotAllowed(allowed);
    },
  });
}

/** What a refused client gets to read why. */
const lingerMs = 1000;

/** What is not even HTTP never reaches a route, and is answered in the shape of every error all the same. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const body = JSON.stringify(
    errorBody(
      new AppError(
        'VALIDATION_ERROR',
        timedOut ? 'The request took too long to arrive.' : 'The request is not valid HTTP.',
      ),
      newId(),
    ),
  );
  const status = timedOut ? '408 Request Timeout' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
  // A client that neither reads the answer nor hangs up would keep its half of the connection open.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
