import type { FastifyReply, FastifyRequest } from 'fastify';
import { assertAuthority } from '../accounts/authority.ts';
import type { Caller } from '../accounts/callers.ts';
import { eventKeyNeeded, findKeyEvent } from '../accounts/event-keys.ts';
import { rotateSessionToken } from '../accounts/sessions.ts';
import { pausedWithMaker } from '../events/event-state.ts';
import { scopeMissing } from '../scope-missing.ts';
import { unauthorized } from '../unauthorized.ts';
import type { HttpParts } from './parts.ts';
import type { Route } from './route.ts';
import { sessionSecretOf, setSessionCookie } from './session-cookie.ts';

/**
 * Finds the account of a request: a key or a token in either place, or the cookie of a session, one rule for every
 * endpoint. Throws where there is none, or where the credential has none of the endpoint's scopes or not the authority
 * that it needs.
 */
export async function authenticate(
  parts: HttpParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { scopes, authority, takesBasic = false }: Pick<Route, 'scopes' | 'authority' | 'takesBasic'>,
): Promise<void> {
  const caller = await findCaller(parts, request, reply, takesBasic);
  if (!caller) throw unauthorized(takesBasic ? 'Basic' : 'Bearer');
  request.caller = caller;
  if (!scopes.some((scope) => caller.scopes.includes(scope))) throw scopeMissing(scopes);
  if (authority) await assertAuthority(parts.db, caller, authority);
}

/** The account of a request; undefined for one without credentials, or whose session has ended. */
export async function findCaller(
  parts: HttpParts,
  request: FastifyRequest,
  reply: FastifyReply,
  takesBasic = false,
): Promise<Caller | undefined> {
  const caller = await callerWithKey(parts, request, takesBasic);
  return caller ?? (await callerWithSession(parts, request, reply));
}

/** Finds the event whose key a request bears. Throws for all other credentials: they have endpoints of their own. */
export async function authenticateBooth(parts: HttpParts, request: FastifyRequest): Promise<void> {
  const caller = await callerWithKey(parts, request, false);
  if (!caller) throw unauthorized('Bearer');
  const event = caller.event_id === null ? undefined : await findKeyEvent(parts.db, caller);
  if (!event) throw eventKeyNeeded();
  request.caller = caller;
  request.eventOfBooth = await pausedWithMaker(parts.db, event);
}

/** Whether the credentials of a request that is still being answered have not been revoked meanwhile. */
export async function isStillAllowed(parts: HttpParts, request: FastifyRequest): Promise<boolean> {
  const secret = keyOf(request.headers) ?? sessionSecretOf(parts, request);
  const caller = secret === undefined ? undefined : await parts.callers.find(secret);
  return caller !== undefined && caller.id === request.caller?.id;
}

/** Throws where the key or the token is wrong: then a cookie does not count. */
async function callerWithKey(
  { callers }: HttpParts,
  { headers }: FastifyRequest,
  takesBasic: boolean,
): Promise<Caller | undefined> {
  const secret = keyOf(headers) ?? (takesBasic ? passwordOf(headers.authorization) : undefined);
  if (secret === undefined) return undefined;
  const caller = await callers.find(secret);
  if (!caller || caller.session) throw unauthorized(takesBasic ? 'Basic' : 'Bearer');
  return caller;
}

/** The password of HTTP basic authentication; the user may be anybody. */
function passwordOf(authorization = ''): string | undefined {
  const encoded = /^\s*Basic\s+([\w+/=-]+)\s*$/i.exec(authorization)?.[1];
  return encoded && /:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1];
}

const keyHeaders = ['x-api-key', 'api-key', 'apikey'] as const;

/** Whatever clients of similar services put in front of a key, in whichever header. Queries are in logs: none there. */
const schemes = /^(?:Bearer|Token|Api-?Key|Key)\s+/i;

/** The key or token of a request, wherever it stands. */
export function keyOf(headers: FastifyRequest['headers']): string | undefined {
  for (const name of keyHeaders) {
    const given = headers[name];
    const key = typeof given === 'string' ? given.trim() : '';
    if (key !== '') return key.replace(schemes, '');
  }
  // Other schemes, such as Basic, are two words as well.
  const secret = (headers.authorization ?? '').trim().replace(schemes, '');
  return /^\S+$/.exec(secret)?.[0];
}

async function callerWithSession(
  parts: HttpParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller | undefined> {
  const secret = sessionSecretOf(parts, request);
  const caller = secret === undefined ? undefined : await parts.callers.find(secret);
  if (secret === undefined || !caller?.session) return undefined;
  const rotated = caller.session.needsRotation
    ? await rotateSessionToken(parts, caller.session, secret)
    : undefined;
  if (rotated) setSessionCookie(parts, request, reply, rotated);
  return caller;
}
