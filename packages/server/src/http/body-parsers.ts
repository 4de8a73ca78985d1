import { createHash, type Hash } from 'node:crypto';
import { on } from 'node:events';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../accounts/login-failures.ts';
import type { Gate } from '../admission/gate.ts';
import { AppError } from '../errors.ts';
import type { UploadStore } from '../media/upload-store.ts';
import { payloadTooLarge } from './bodies/body-errors.ts';
import { EventLoopTime } from './bodies/event-loop-time.ts';
import { FileScanner } from './bodies/file-scanner.ts';
import { FormScanner } from './bodies/form-scanner.ts';
import { IdleCollection } from './bodies/idle-collection.ts';
import { JsonScanner } from './bodies/json-scanner.ts';
import { type BodyParts, type BodyScanner, ReceivedBody } from './bodies/received-body.ts';
import type { HttpParts } from './parts.ts';

/**
 * What a route does with a body: read it as JSON, as a form, as a form with files or one file, take it as it is, take its
 * SHA-256 and keep nothing of it, or leave it unread.
 */
export type BodyKind = 'json' | 'form' | 'files' | 'bytes' | 'digest' | 'none';

/** What bodies of all connections share. */
export interface BodyResources {
  store: UploadStore;
  /** Bytes of bodies in flight. */
  gate: Gate;
  loopTime: EventLoopTime;
  idleCollection: IdleCollection;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The body while it comes in, and its images after that; null where none came. */
    received: ReceivedBody | null;
    /** The content type of the body, which Fastify does not see. */
    bodyType: string | undefined;
  }
}

const invalidJson = () => new AppError('INVALID_JSON', 'The body must be JSON.');
const invalidFiles = (request: FastifyRequest) =>
  new AppError(
    'VALIDATION_ERROR',
    `The body must be a form (multipart/form-data)${takesFileItself(request) ? ', or an image by itself' : ''}.`,
  );
const takesFileItself = (request: FastifyRequest) =>
  request.routeOptions.config.row!.otherBodies !== undefined;

/** What of a body is JSON and no image: more than the largest workflow, and parsed in a few milliseconds. */
const jsonLimits = { maxBytes: 1024 * 1024, maxValues: 40_000, maxDepth: 200, longStringBytes: 16 * 1024 };
/** What of a form is no file. Booths send what their guests were asked, in a field for each. */
const formLimits = { maxBytes: 256 * 1024, maxFieldBytes: 64 * 1024, maxParts: 200 };

export function createBodyResources({
  uploadStore,
  admission,
}: Pick<HttpParts, 'uploadStore' | 'admission'>): BodyResources {
  return {
    store: uploadStore,
    gate: admission.bodies,
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
    request.bodyType = headers['content-type'];
    if (headers['content-type'] !== undefined) headers['content-type'] = undefined;
    done();
  });
  if (kind === 'json') addScanner(scope, resources, jsonScannerOf, invalidJson);
  if (kind === 'files') addScanner(scope, resources, fileScannerOf, invalidFiles);
  if (kind === 'form') addFormParser(scope);
  // An empty one asks how much is there.
  if (kind === 'bytes') addScanner(scope, resources, bytesScannerOf, null);
  if (kind === 'digest') scope.addContentTypeParser('*', digestBody);
  if (kind === 'none') scope.addContentTypeParser('*', discardBody);
}

/** How a body is read, and whether it is hashed as it comes or by its scanner. */
type Scanning = Pick<BodyParts, 'imageForm' | 'createScanner' | 'hash'>;

function addScanner(
  scope: FastifyInstance,
  { gate, ...resources }: BodyResources,
  scanningOf: (request: FastifyRequest, hash: Hash | null) => Scanning,
  invalid: ((request: FastifyRequest) => AppError) | null,
): void {
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: FastifyRequest['raw']) => {
    const { row } = request.routeOptions.config;
    const maxBytes = request.routeOptions.bodyLimit;
    const length = request.headers['content-length'];
    const expectedBytes = length === undefined ? undefined : Number(length);
    if (expectedBytes !== undefined && expectedBytes > maxBytes) throw payloadTooLarge();
    const hash = request.headers['idempotency-key'] === undefined ? null : createHash('sha256');
    hash?.update(`${row!.path}\n`);
    const share = gate.open(ownerOf(request));
    const scanning = scanningOf(request, hash);
    request.received = new ReceivedBody({ ...resources, share, maxBytes, expectedBytes, ...scanning });
    const value = await request.received.read(chunksOf(payload));
    if (hash) request.fingerprint = hash.digest('hex');
    // Undefined where the bytes are not what is read: after an error of the parser Fastify would close the connection.
    return value;
  });
  scope.addHook('onRequest', (request, reply, done) => {
    reply.raw.on('close', () => request.received?.close());
    done();
  });
  if (!invalid) return;
  scope.addHook('preValidation', (request, _reply, done) => {
    done(request.body === undefined ? invalid(request) : undefined);
  });
}

/** The account that a body is of, or the address it comes from. */
function ownerOf({ caller, quickTestLink, eventOfBooth, ip }: FastifyRequest): string {
  return caller?.id ?? quickTestLink?.account_id ?? eventOfBooth?.account_id ?? networkOf(ip);
}

function jsonScannerOf(request: FastifyRequest, hash: Hash | null): Scanning {
  const { longString = () => 'whole', maxText: maxBytes = jsonLimits.maxBytes } =
    request.routeOptions.config.row!;
  return {
    imageForm: 'base64',
    hash,
    createScanner: (openImage) =>
      new JsonScanner({ ...jsonLimits, maxBytes, longString, tooLarge: payloadTooLarge, openImage }),
  };
}

function bytesScannerOf(_request: FastifyRequest, hash: Hash | null): Scanning {
  const chunks: Buffer[] = [];
  return {
    imageForm: 'file',
    hash,
    createScanner: () => ({ write: (chunk) => chunks.push(chunk), end: () => Buffer.concat(chunks) }),
  };
}

/**
 * A form by its boundary; everything else is taken for the file itself, which clients send under many types, where the
 * route takes one.
 */
function fileScannerOf(request: FastifyRequest, hash: Hash | null): Scanning {
  const [, quoted, bare] =
    /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]+)"|([^;\s]+))/i.exec(request.bodyType ?? '') ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined && !takesFileItself(request))
    return { imageForm: 'file', hash, createScanner: () => unreadBody };
  if (boundary === undefined)
    return { imageForm: 'file', hash, createScanner: (openImage) => new FileScanner(openImage, 'image') };
  return {
    imageForm: 'file',
    hash: null,
    createScanner: (openImage) =>
      new FormScanner({ ...formLimits, boundary, tooLarge: payloadTooLarge, openImage, hash }),
  };
}

/** Lets a body of another kind pass, so that it is refused by what it should be. */
const unreadBody: BodyScanner = { write() {}, end: () => undefined };

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

/** Reads no faster than it hashes, and a body that is too large no further. */
async function digestBody(request: FastifyRequest, payload: FastifyRequest['raw']): Promise<string> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunksOf(payload)) {
    bytes += chunk.length;
    if (bytes > request.routeOptions.bodyLimit) throw payloadTooLarge();
    hash.update(chunk);
  }
  return hash.digest('hex');
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
