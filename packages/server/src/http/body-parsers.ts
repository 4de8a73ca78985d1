import { createHash } from 'node:crypto';
import { on } from 'node:events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import type { UploadStore } from '../media/upload-store.ts';
import { BodyBudget } from './bodies/body-budget.ts';
import { payloadTooLarge } from './bodies/body-errors.ts';
import { EventLoopTime } from './bodies/event-loop-time.ts';
import { IdleCollection } from './bodies/idle-collection.ts';
import { ReceivedBody } from './bodies/received-body.ts';
import type { HttpParts } from './parts.ts';

/** What a route does with a body: read it as JSON or as a form, or leave it unread. */
export type BodyKind = 'json' | 'form' | 'none';

/** What bodies of all connections share. */
export interface BodyResources {
  store: UploadStore;
  /** Bytes of bodies in flight. */
  budget: BodyBudget;
  loopTime: EventLoopTime;
  idleCollection: IdleCollection;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body while it comes in, and its images after that; null where no JSON came. */
    received: ReceivedBody | null;
  }
}

const invalidJson = () => new AppError('INVALID_JSON', 'The body must be JSON.');

export function createBodyResources(
  { uploadStore, maxBytesInFlight }: Pick<HttpParts, 'uploadStore' | 'maxBytesInFlight'>,
  waitMs: number,
): BodyResources {
  return {
    store: uploadStore,
    budget: new BodyBudget(maxBytesInFlight, waitMs),
    loopTime: new EventLoopTime(),
    idleCollection: new IdleCollection(),
  };
}

/** Reads the bodies of a scope's routes, whatever their content type says: real clients send JSON under many names. */
export function addBodyParser(scope: FastifyInstance, kind: BodyKind, resources: BodyResources): void {
  scope.removeAllContentTypeParsers();
  // Fastify answers 415 to a content type it cannot parse, even where one parser takes them all.
  scope.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request.raw;
    if (headers['content-type'] !== undefined) headers['content-type'] = undefined;
    done();
  });
  if (kind === 'json') addJsonParser(scope, resources);
  if (kind === 'form') addFormParser(scope);
  if (kind === 'none') scope.addContentTypeParser('*', discardBody);
}

function addJsonParser(scope: FastifyInstance, { budget, ...resources }: BodyResources): void {
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    const { row } = request.routeOptions.config;
    const maxBytes = request.routeOptions.bodyLimit;
    const length = request.headers['content-length'];
    const expectedBytes = length === undefined ? undefined : Number(length);
    if (expectedBytes !== undefined && expectedBytes > maxBytes) throw payloadTooLarge();
    const hash = request.headers['idempotency-key'] === undefined ? null : createHash('sha256');
    hash?.update(`${row!.path}\n`);
    const share = budget.open(request.caller?.id ?? request.quickTestLink?.account_id ?? '');
    const longString = row!.longString ?? (() => 'whole');
    request.received = new ReceivedBody({
      ...resources,
      share,
      maxBytes,
      expectedBytes,
      longString,
      hash,
    });
    const value = await request.received.read(chunksOf(payload));
    if (hash) request.fingerprint = hash.digest('hex');
    // Undefined where the bytes are not JSON: after an error of the parser Fastify would close the connection.
    return value;
  });
  scope.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => request.received?.close());
    done();
  });
  scope.addHook('preValidation', (request, _reply, done) => {
    done(request.body === undefined ? invalidJson() : undefined);
  });
}

/**
 * The body as it comes in; no more is read while a chunk is worked on. The stream's own iterator would copy chunks that
 * have gathered into one, and destroy the connection when the body is not read to its end.
 */
async function* chunksOf(payload: FastifyRequest['raw']): AsyncGenerator<Buffer> {
  if (payload.destroyed) throw new Error('the client hung up before its body was read');
  const events = on(payload, 'data', { close: ['end'], highWaterMark: 1, lowWaterMark: 1 });
  for await (const [chunk] of events) yield chunk as Buffer;
}

function addFormParser(scope: FastifyInstance): void {
  scope.addContentTypeParser('*', { parseAs: 'string' }, async (_request: FastifyRequest, text: string) =>
    Object.fromEntries(new URLSearchParams(text.replace(/^\uFEFF/, ''))),
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
