import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Caller } from '../accounts/keys.ts';
import type { HttpParts } from './parts.ts';

/** One request on its way through a route. */
export interface Call {
  id: string;
  method: string;
  headers: IncomingHttpHeaders;
  params: Record<string, string | undefined>;
  query: Record<string, unknown>;
  /** As the route's kind of body gives it; undefined without one. */
  body: unknown;
  /** SHA-256 of path and body, where an `Idempotency-Key` asks for it. */
  fingerprint: string | null;
  caller: Caller | null;
  request: IncomingMessage;
  response: ServerResponse;
}

/** An answer that is more than JSON with the route's status. */
export class Reply {
  readonly status: number | undefined;
  readonly headers: Record<string, string | number>;
  readonly body: string | Buffer | Readable | null;

  constructor(body: Reply['body'], headers: Record<string, string | number>, status?: number) {
    this.body = body;
    this.headers = headers;
    this.status = status;
  }
}

/** The account behind the call. Only routes whose access is `account` may ask. */
export function callerOf(call: Call): Caller {
  if (!call.caller) throw new Error('this route is public: it has no caller');
  return call.caller;
}

/** UUIDs are written in lower case; callers may not. */
export function idOf(call: Call): string {
  return (call.params.id ?? '').toLowerCase();
}

/** Where the caller reached this server, for links. */
export function baseUrlOf(parts: HttpParts, call: Call): string {
  return parts.publicUrl || `http://${call.headers.host ?? 'localhost'}`;
}

/** Aborts when the caller hangs up before it is answered. */
export function goneSignal(call: Call): AbortSignal {
  const gone = new AbortController();
  call.response.once('close', () => gone.abort());
  return gone.signal;
}
