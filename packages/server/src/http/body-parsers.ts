import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';

/** What a route does with a body: read it as JSON or as a form, or leave it unread. */
export type BodyKind = 'json' | 'form' | 'none';

const invalidJson = () => new AppError('INVALID_JSON', 'The body must be JSON.');

/** Parsing a photo's 28 MB of JSON holds the thread for tens of milliseconds: large ones take turns of their own. */
const largeBytes = 256 * 1024;

/** Reads the bodies of a scope's routes, whatever their content type says: real clients send JSON under many names. */
export function addBodyParser(scope: FastifyInstance, kind: BodyKind): void {
  scope.removeAllContentTypeParsers();
  // Fastify answers 415 to a content type it cannot parse, even where one parser takes them all.
  scope.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    if (headers['content-type'] !== undefined) headers['content-type'] = undefined;
    done();
  });
  if (kind === 'json') addJsonParser(scope);
  if (kind === 'form') addFormParser(scope);
  if (kind === 'none') scope.addContentTypeParser('*', discardBody);
}

function addJsonParser(scope: FastifyInstance): void {
  const inTurn = takeTurns();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    const read = () => {
      if (request.headers['idempotency-key'] !== undefined)
        request.fingerprint = fingerprintOf(request, bytes);
      return parseJson(bytes);
    };
    return bytes.length > largeBytes ? inTurn(read) : read();
  });
  scope.addHook('preValidation', (request, _reply, done) => {
    done(request.body === undefined ? invalidJson() : undefined);
  });
}

function addFormParser(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    Object.fromEntries(new URLSearchParams(text)),
  );
}

/** Lets a body that nobody asked for pass, so that the connection can be used again. */
function discardBody(
  _request: FastifyRequest,
  payload: FastifyRequest['raw'],
  done: (error: null) => void,
): void {
  payload.resume();
  done(null);
}

function fingerprintOf(request: FastifyRequest, bytes: Buffer): string {
  const { path } = request.routeOptions.config.row!;
  return createHash('sha256').update(`${path}\n`).update(bytes).digest('hex');
}

/** Undefined where the bytes are not JSON: after an error of the parser Fastify would close the connection. */
function parseJson(bytes: Buffer): unknown {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as unknown;
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Deeper than any request, and far from the depth at which a recursive function runs out of stack. */
const maxDepth = 200;

/** Level by level, because the value may be a million levels deep. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((inner) =>
      typeof inner === 'object' && inner !== null ? Object.values(inner) : [],
    );
  }
  return false;
}

/** Runs work one after the other, each in a turn of the event loop of its own, so that others come in between. */
function takeTurns(): <T>(work: () => T) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(() => new Promise((resolve) => setImmediate(resolve))).then(work);
    last = next.catch(() => {});
    return next;
  };
}
