import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../accounts/keys.ts';
import type { HttpParts } from './parts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** The account behind the request. Only routes whose access is `account` may ask. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('this route is public: it has no caller');
  return request.caller;
}

/** Where the caller reached this server, for links. */
export function baseUrlOf(parts: HttpParts, request: FastifyRequest): string {
  return parts.publicUrl || `${request.protocol}://${request.headers.host ?? 'localhost'}`;
}

/** Aborts when the caller hangs up before it is answered. */
export function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}
