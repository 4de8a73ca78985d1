import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../errors.ts';
import { payloadTooLarge } from './answer-error.ts';

/** What a route does with a body: read it as JSON or as a form, or let it pass unread. */
export type BodyKind = 'json' | 'form' | 'none';

declare module 'fastify' {
  interface FastifyContextConfig {
    body?: BodyKind;
    maxBody?: number;
  }
  interface FastifyRequest {
    /** SHA-256 of path and body, where an `Idempotency-Key` asks for it. */
    fingerprint: string | null;
  }
}

const invalidJson = () => new AppError('INVALID_JSON', 'The body must be JSON.');

/** Parsing a photo's 28 MB of JSON holds the thread for tens of milliseconds: at most this many wait with theirs in hand. */
const largeBytes = 256 * 1024;
const parsedAtOnce = 2;

/** Every content type is read alike: real clients send JSON under many names. */
export function readBodies(app: FastifyInstance): void {
  const turn = semaphore(parsedAtOnce);
  app.decorateRequest('fingerprint', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const { body = 'none', maxBody = 64 * 1024 } = request.routeOptions.config;
    if (body === 'none') {
      payload.resume();
      return undefined;
    }
    const length = Number(request.headers['content-length']);
    if (length > maxBody) throw payloadTooLarge();
    const chunks = await collect(payload, maxBody);
    const read = () => {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      if (request.headers['idempotency-key'] !== undefined) {
        request.fingerprint = createHash('sha256')
          .update(`${request.routeOptions.url}\n`)
          .update(bytes)
          .digest('hex');
      }
      return body === 'json' ? parseJson(bytes) : Object.fromEntries(new URLSearchParams(bytes.toString()));
    };
    return length > largeBytes ? turn(read) : read();
  });
}

/** A route that needs a body and got none. */
export function givenBody(request: FastifyRequest): unknown {
  if (request.body === undefined) throw invalidJson();
  return request.body;
}

function parseJson(bytes: Buffer): unknown {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as unknown;
    if (!isDeep(value)) return value;
  } catch {}
  throw invalidJson();
}

/** Deeper than any request, and far from where what walks a value by recursion runs out of stack. */
const maxDepth = 200;

/** Level by level, because the value may be a million levels deep. */
function isDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((inner) =>
      typeof inner === 'object' && inner !== null ? Object.values(inner) : [],
    );
  }
  return false;
}

function collect(payload: Readable, maxBytes: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        payload.pause();
        reject(payloadTooLarge());
      } else chunks.push(chunk);
    });
    payload.on('end', () => resolve(chunks));
    payload.on('error', reject);
    payload.on('close', () => reject(new AppError('VALIDATION_ERROR', 'The body ended too early.')));
  });
}

/** Lets `places` pieces of work run at once, each in a turn of the event loop of its own. */
function semaphore(places: number): <T>(work: () => T) => Promise<T> {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      await new Promise((resolve) => setImmediate(resolve));
      return work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
