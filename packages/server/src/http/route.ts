import type { Act } from '@guise/contract/authority.ts';
import type { Scope } from '@guise/contract/scopes.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CredentialAction } from './access/credential-limits.ts';
import type { GuestAction } from './access/guest-access.ts';
import type { LimitedAction } from './account-limits.ts';
import type { LongString } from './bodies/json-scanner.ts';
import type { BodyKind } from './body-parsers.ts';
import type { HttpParts } from './parts.ts';

/** A request as a handler gets it: the credentials are checked, the body and the query have the row's shapes. */
export type RouteRequest<Body = unknown, Query = unknown> = FastifyRequest<{
  Params: Record<string, string>;
  Body: Body;
  Querystring: Query;
}>;

/**
 * An endpoint: who may call it, what it takes and what it answers. Fastify's routes, the OpenAPI document and
 * docs/endpoints.md are made from these rows.
 */
export interface Route<Body extends z.ZodType = z.ZodType, Query extends z.ZodType = z.ZodType> {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** A verb and its object, for the methods of generated clients: never changed. */
  operation: string;
  /**
   * A guest has the token of a quick test link, a booth the key of an event, an event’s guest the token of its page, a
   * wall and a gallery those of their links.
   */
  access: 'public' | 'account' | 'guest' | 'booth' | 'event_guest' | 'wall' | 'gallery';
  /** The caller needs one of these; none where it has no account. */
  scopes: readonly Scope[];
  /** What the caller needs beside that, because of what the endpoint makes, changes or ends. */
  authority?: Act;
  tag: string;
  summary: string;
  bodyKind: BodyKind;
  body?: Body;
  /** What else the body may be, as it is: types of files. */
  otherBodies?: readonly string[];
  query?: Query;
  maxBody?: number;
  /** Bytes of its JSON beside photos, where they are more than other endpoints take. */
  maxText?: number;
  /** What is done with long strings of the body; without it they are kept. */
  longString?(path: readonly string[]): LongString;
  /** Starts a job, and can be repeated with its `Idempotency-Key`. */
  startsJob?: boolean;
  /** Changes only what the caller has read, where it says so by `If-Match`. */
  takesIfMatch?: boolean;
  /** Refuses by headers alone, before the body is received. Endpoints that are public have it where they take a body. */
  checkHeaders?(parts: HttpParts, request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Changes the body before it is checked, or throws. */
  prepareBody?(request: FastifyRequest): Promise<void>;
  /** What a request counts as: an account has so many of each a minute. */
  counted?: LimitedAction;
  /** As how many more a request with this body counts, beside the one that each counts as. */
  countedMore?(body: z.infer<Body>): number;
  /** Whether a request with this body counts; without it, every one does, before its body is read. */
  isCounted?(body: z.infer<Body>): boolean;
  /** What a guest's request counts as: an address has so many of each a minute. */
  countedAs?: GuestAction;
  /** What a request with the key of an event or of its guest counts as: each has so many of each a minute. */
  countedPerCredential?: CredentialAction;
  /** Whether a key may come as the password of HTTP basic authentication: some clients have no other. */
  takesBasic?: boolean;
  /** A page for browsers or a file of one: answered with a content security policy. */
  isPage?: boolean;
  /** Answered even when the server is overloaded. */
  answersWhenOverloaded?: boolean;
  /** The answer's status and shape; no shape when it is empty or not JSON. Callers may ask for the other types. */
  success: { status: number; shape?: z.ZodType; otherTypes?: readonly string[] };
  /** Data for a JSON answer, a stream, or nothing. */
  handle(
    parts: HttpParts,
    request: RouteRequest<z.infer<Body>, z.infer<Query>>,
    reply: FastifyReply,
  ): Promise<unknown>;
}

/** A row whose handler knows the types of its own schemas. */
export function route<Body extends z.ZodType, Query extends z.ZodType>(row: Route<Body, Query>): Route {
  return row;
}

/** What most rows share: a body of JSON or none, from an account or from anybody. */
export const json = { bodyKind: 'json', access: 'account' } as const;
export const files = { bodyKind: 'files', access: 'account' } as const;
export const none = { bodyKind: 'none', access: 'account' } as const;
export const open = { bodyKind: 'none', access: 'public', scopes: [], tag: 'Server' } as const;
/** For what every key of an account may read, whichever of these scopes it has. */
export const anyAccountScope = ['run', 'read', 'manage'] as const satisfies Scope[];
export const ok = (shape: z.ZodType) => ({ status: 200, shape });

/** 20 MB of image are 28 MB of base64. */
export const imageBodyBytes = 28 * 1024 * 1024;
