import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { payloadTooLarge } from './answer-error.ts';
import type { Call } from './call.ts';

/** What a route does with a body: read it as JSON or as a form, or let it pass unread. */
export type BodyKind = 'json' | 'form' | 'none';

const invalidJson = () => new AppError('INVALID_JSON', 'The body must be JSON.');
const endedEarly = () => new AppError('VALIDATION_ERROR', 'The body ended too early.');

/** Parsing a photo's 28 MB of JSON holds the thread for tens of milliseconds: large ones take turns of their own. */
const largeBytes = 256 * 1024;
const inTurn = turns();

/** Every content type is read alike: real clients send JSON under many names. */
export async function readBody(
  call: Call,
  kind: 'json' | 'form',
  maxBytes: number,
  path: string,
): Promise<void> {
  if (!hasBody(call.request)) return;
  if (Number(call.headers['content-length']) > maxBytes) throw payloadTooLarge();
  const chunks = await collect(call.request, maxBytes);
  const read = () => {
    const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    if (call.headers['idempotency-key'] !== undefined) {
      call.fingerprint = createHash('sha256').update(`${path}\n`).update(bytes).digest('hex');
    }
    call.body =
      kind === 'json' ? parseJson(bytes) : Object.fromEntries(new URLSearchParams(bytes.toString()));
  };
  if (Number(call.headers['content-length']) > largeBytes) await inTurn(read);
  else read();
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The body of a route that needs one. */
export function givenBody(call: Call): unknown {
  if (call.body === undefined) throw invalidJson();
  return call.body;
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

function collect(request: IncomingMessage, maxBytes: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) {
        chunks.length = 0;
        reject(payloadTooLarge());
      } else chunks.push(chunk);
    });
    request.on('end', () => resolve(chunks));
    request.on('error', () => reject(endedEarly()));
    request.on('close', () => reject(endedEarly()));
  });
}

/** Runs work one after the other, each in a turn of the event loop of its own, so that others come in between. */
function turns(): <T>(work: () => T) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(() => new Promise((resolve) => setImmediate(resolve))).then(work);
    last = next.catch(() => {});
    return next;
  };
}
