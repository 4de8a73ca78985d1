import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/callers.ts';
import type { Place } from '../admission/gate.ts';
import type { KnownGuest } from '../events/event-pictures.ts';
import type { LinkToBlob } from '../jobs/read.ts';
import type { Submitter } from '../qa/qa-runs.ts';
import type { EventRow } from '../store/events/event-schema.ts';
import type { HttpParts } from './parts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The account behind the credentials; null on public routes. */
    caller: Caller | null;
    /** SHA-256 of the route's path and the raw body, where an `Idempotency-Key` asks for it. */
    fingerprint: string | null;
    /** The event whose key the request bears, and the guest whose token it bears; null on routes of other access. */
    eventOfBooth: EventRow | null;
    eventGuest: KnownGuest | null;
  }
}

/** The account behind the request. Only routes whose access is `account` may ask. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('this route is public: it has no caller');
  return request.caller;
}

/** Who submits the jobs of the request. Only routes whose access is `account` may ask. */
export function submitterOf(request: FastifyRequest): Submitter {
  const { id: accountId, key_id: keyId } = callerOf(request);
  return { accountId, keyId };
}

/** The event behind the request. Only routes whose access is `booth` may ask. */
export function eventOfBooth(request: FastifyRequest): EventRow {
  if (!request.eventOfBooth) throw new Error('this route is not for booths: it has no event');
  return request.eventOfBooth;
}

/** The guest behind the request. Only routes whose access is `event_guest` may ask. */
export function eventGuestOf(request: FastifyRequest): KnownGuest {
  if (!request.eventGuest) throw new Error('this route is not for guests of events');
  return request.eventGuest;
}

/** An id of the path. UUIDs are written in lower case; callers may not. */
export function idOf(request: FastifyRequest<{ Params: Record<string, string> }>, name = 'id'): string {
  return (request.params[name] ?? '').toLowerCase();
}

/**
 * Where the caller reached this server, for links. Without a public URL that is what `Host` says, as far as it is an
 * address or a name of a local network: a name of the internet may be anybody's, and links bear signatures.
 */
export function baseUrlOf(parts: HttpParts, request: FastifyRequest): string {
  if (parts.publicUrl) return parts.publicUrl;
  const host = request.headers.host ?? '';
  return localHost.test(host) ? `http://${host}` : arrivedAt(request);
}

/** The address of this machine that the request has come to, whatever its headers say. */
export function arrivedAt({ raw: { socket } }: FastifyRequest): string {
  const address = socket.localFamily === 'IPv6' ? `[${socket.localAddress}]` : socket.localAddress;
  return `http://${address}:${socket.localPort}`;
}

/** Links to the files of jobs, for this caller. */
export function jobLinks(parts: HttpParts, request: FastifyRequest): LinkToBlob {
  const baseUrl = baseUrlOf(parts, request);
  return (job, key) => parts.links.create(baseUrl, key, job.account_id, job.expires_at);
}

/** An address, a name of one part such as `localhost`, or one that only a local network resolves; and a port. */
const localHost =
  /^(?:[\d.]+|\[[\da-f:.]+\]|[a-z\d-]+|[a-z\d.-]+\.(?:local|lan|internal|home\.arpa|localhost|test))(?::\d{1,5})?$/i;

/**
 * Aborts when the connection closes before the answer is complete. `request.signal` of Fastify aborts when the body
 * has been read, because Node closes the request's stream then.
 */
export function disconnectSignal(reply: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  if (reply.raw.destroyed) disconnected.abort();
  else reply.raw.once('close', () => disconnected.abort());
  return disconnected.signal;
}

/** Gives a place back when the answer is sent, or nobody is there to take it. */
export function holdUntilClosed({ raw }: FastifyReply, place: Place): void {
  if (raw.destroyed) place.release();
  else raw.once('close', () => place.release());
}
