import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import type { AddressInfo, Socket } from 'node:net';
import { type FastifyServerOptions, fastify } from 'fastify';
import { limitConnections, limitRequests } from './access/connection-limits.ts';
import { BrokenAnswerLog, recordResponse } from './access-log.ts';
import { createBodyResources } from './body-parsers.ts';
import { sendError } from './error-response.ts';
import { answerMalformed } from './malformed-requests.ts';
import { notFound } from './not-found.ts';
import { openApi } from './openapi/openapi.ts';
import { defaultOverloadLimits, type OverloadLimits, refuseWhenOverloaded } from './overload.ts';
import type { HttpParts } from './parts.ts';
import { registerRoutes } from './register-routes.ts';
import { routes } from './routes.ts';
import { addSendBlob } from './send-blob.ts';
import { maxParamLength, unmatchedErrors } from './unmatched-request.ts';
import { compileValidator } from './validate.ts';

export interface HttpServer {
  listen(port: number, host: string): Promise<string>;
  /**
   * Answers what was asked, closes each connection once it is idle and cuts those that are busy after `graceMs`. Node
   * by itself waits out the keep-alive time of every connection that was busy when the closing began.
   */
  close(graceMs: number): Promise<void>;
}

export interface HttpLimits {
  /** From the connection, or the first byte of a further request, to the last header. */
  headersMs: number;
  /** To the end of the body. */
  requestMs: number;
  /** How often connections are checked for those. */
  connectionCheckIntervalMs: number;
  overload: OverloadLimits;
}

/** Slow clients cannot hold connections for long. */
export const defaultHttpLimits: HttpLimits = {
  headersMs: 10_000,
  requestMs: 60_000,
  connectionCheckIntervalMs: 2000,
  overload: defaultOverloadLimits,
};

const keepAliveMs = 72_000;
const smallBodyBytes = 64 * 1024;

/** Given from the start, so that Fastify does not load its own: that takes 40 ms and 3 MB. */
const ourCompilers = {
  compilersFactory: { buildValidator: () => compileValidator, buildSerializer: () => () => JSON.stringify },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>;

/** The table of routes on Fastify. Why: docs/decisions/011-fastify.md. */
export function httpServer(parts: HttpParts, limits = defaultHttpLimits): HttpServer {
  const app = createFastify(parts, limits);
  return {
    async listen(port, host) {
      // For the name `localhost` Fastify opens a second server, which answers malformed requests in its own way.
      await app.listen({ port, host: (await lookup(host)).address });
      const address = app.server.address() as AddressInfo;
      const shown = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      return `http://${shown}:${address.port}`;
    },
    async close(graceMs) {
      const idle = setInterval(() => app.server.closeIdleConnections(), 50);
      const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
      await app.close();
      clearInterval(idle);
      clearTimeout(cut);
    },
  };
}

function createFastify(parts: HttpParts, limits: HttpLimits) {
  const unmatchedError = unmatchedErrors(routes);
  const errors = { log: parts.log, answered: new WeakSet<Socket>() };

  const app = fastify({
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: limits.connectionCheckIntervalMs,
    },
    requestTimeout: limits.requestMs,
    keepAliveTimeout: keepAliveMs,
    bodyLimit: smallBodyBytes,
    // Addresses that end with a slash are put before paths that begin with one.
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength },
    // `HEAD` is registered with each `GET`: Fastify's own would read a whole file to answer it.
    exposeHeadRoutes: false,
    // What comes over open connections while the server drains is answered.
    return503OnClosing: false,
    trustProxy: parts.trustedProxies.length > 0 && [...parts.trustedProxies],
    // Numbers would tell every caller how many requests there are.
    genReqId: () => randomUUID(),
    logController: new BrokenAnswerLog(parts.log),
    schemaController: ourCompilers,
    clientErrorHandler: (error, socket) => answerMalformed(errors.answered, randomUUID(), error, socket),
    // A URL that cannot be decoded, or has a parameter that is too long, reaches no hook.
    frameworkErrors: (_error, request, reply) => {
      recordResponse(parts, request, reply);
      sendError(errors, notFound(), request, reply);
    },
  });

  const { admission, trustedProxies, log } = parts;
  limitConnections(app.server, { gate: admission.connections, trustedProxies, log });
  app.decorateRequest('caller', null);
  app.decorateRequest('quickTestLink', null);
  app.decorateRequest('eventOfBooth', null);
  app.decorateRequest('eventGuest', null);
  app.decorateRequest('linkedEvent', null);
  app.decorateRequest('fingerprint', null);
  app.decorateRequest('received', null);
  app.decorateRequest('bodyType', undefined);
  app.decorateRequest('unusedFields', null);
  app.decorate('openApi', openApi(routes));
  addSendBlob(app, parts.log);
  app.setErrorHandler((error, request, reply) => sendError(errors, error, request, reply));
  app.addHook('onRequest', (request, reply, done) => {
    recordResponse(parts, request, reply);
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    done(request.is404 ? unmatchedError(request.url) : undefined);
  });
  app.register(async (scope) => {
    refuseWhenOverloaded(scope, limits.overload);
    limitRequests(scope, admission.requests);
    await registerRoutes(scope, parts, routes, createBodyResources(parts));
  });
  return app;
}
