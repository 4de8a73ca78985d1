import { Me } from '@guise/contract/account.ts';
import { Page } from '@guise/contract/jobs.ts';
import {
  CreatedSession,
  CurrentSession,
  NewPassword,
  NewSession,
  SessionList,
  SignInLink,
} from '@guise/contract/sessions.ts';
import type { FastifyReply } from 'fastify';
import { toManageOthers } from '../../accounts/authority.ts';
import { sessionScopes } from '../../accounts/callers.ts';
import { readMe } from '../../accounts/me.ts';
import { hasPassword, sessionOf, setPassword } from '../../accounts/passwords.ts';
import { endSession, endSessions, readSessions, startSession } from '../../accounts/sessions.ts';
import { createSignInLink, signInUrl } from '../../accounts/sign-in-links.ts';
import { isoTime } from '../../iso-time.ts';
import { guiseCommand } from '../../platform.ts';
import { scopeMissing } from '../../scope-missing.ts';
import { unauthorized } from '../../unauthorized.ts';
import { guestBaseUrlOf } from '../access/guest-address.ts';
import { findCaller } from '../authenticate.ts';
import type { HttpParts } from '../parts.ts';
import { callerOf, idOf } from '../request.ts';
import { json, none, ok, open, type Route, type RouteRequest, route } from '../route.ts';
import { clearSessionCookie, isSameOrigin, setSessionCookie } from '../session-cookie.ts';

const tag = 'Sessions';

export const sessionRoutes: Route[] = [
  {
    ...none,
    method: 'GET',
    path: '/v1/users/me',
    operation: 'readMe',
    scopes: ['run', 'read', 'manage', 'operator'],
    tag: 'Account',
    summary: 'Who the caller is, and what its credentials allow',
    success: ok(Me),
    handle: (parts, request) => readMe(parts.db, callerOf(request)),
  },
  route({
    ...json,
    method: 'PUT',
    path: '/v1/users/me/password',
    operation: 'changePassword',
    scopes: ['manage'],
    tag: 'Account',
    summary: 'Set the password of the caller’s account; its other sessions end. Takes a session, no key',
    body: NewPassword,
    success: { status: 204 },
    handle: (parts, request) => setPassword(parts, callerOf(request), request.body, request.ip),
  }),
  {
    ...none,
    method: 'POST',
    path: '/v1/sign_in_links',
    operation: 'createSignInLink',
    scopes: ['manage'],
    tag,
    summary: 'Make a link that signs in to the caller’s account, once within 24 h. Takes a session, no key',
    success: { status: 201, shape: SignInLink },
    handle: makeSignInLink,
  },
  {
    ...open,
    method: 'GET',
    path: '/v1/sessions/current',
    operation: 'readCurrentSession',
    tag,
    summary: 'Who the browser is signed in as; no error where nobody is',
    success: ok(CurrentSession),
    handle: readCurrentSession,
  },
  route({
    method: 'POST',
    path: '/v1/sessions',
    operation: 'createSession',
    access: 'public',
    scopes: [],
    bodyKind: 'json',
    tag,
    summary: 'Sign in by email and password, or by a sign-in link: sets the session cookie',
    body: NewSession,
    success: { status: 201, shape: CreatedSession },
    handle: signIn,
  }),
  route({
    ...none,
    method: 'GET',
    path: '/v1/sessions',
    operation: 'listSessions',
    scopes: ['read'],
    tag,
    summary: 'Sessions of the caller, newest first',
    query: Page,
    success: ok(SessionList),
    handle: (parts, request) => readSessions(parts.db, callerOf(request), request.query),
  }),
  {
    ...none,
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    operation: 'endSession',
    scopes: ['manage'],
    authority: toManageOthers,
    tag,
    summary: 'End a session; `current` is the one of this request',
    success: { status: 204 },
    handle: async (parts, request, reply) => {
      const caller = callerOf(request);
      const ended = await endSession(parts, caller, idOf(request));
      if (ended === caller.session?.id) clearSessionCookie(parts, request, reply);
    },
  },
  {
    ...none,
    method: 'DELETE',
    path: '/v1/sessions',
    operation: 'endSessions',
    scopes: ['manage'],
    authority: toManageOthers,
    tag,
    summary: 'End all sessions of the caller',
    success: { status: 204 },
    handle: async (parts, request, reply) => {
      await endSessions(parts, callerOf(request).id);
      clearSessionCookie(parts, request, reply);
    },
  },
];

async function signIn(
  parts: HttpParts,
  request: RouteRequest<NewSession>,
  reply: FastifyReply,
): Promise<CreatedSession> {
  // A page of another origin could sign its visitor in to an account of its own.
  if (!isSameOrigin(parts, request)) throw unauthorized();
  const { body, ip, headers } = request;
  const account =
    'link' in body
      ? await parts.logins.checkLink(body.link, ip)
      : await parts.logins.checkPassword({ ...body, address: ip });
  const session = await startSession(parts.db, account.id, headers['user-agent'] ?? '');
  setSessionCookie(parts, request, reply, session);
  reply.header('cache-control', 'no-store');
  const me = await readMe(parts.db, { id: account.id, scopes: sessionScopes(account.role), key_id: null });
  return { id: session.id, account: me, expires_at: isoTime(session.expires_at) };
}

async function readCurrentSession(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<CurrentSession> {
  reply.header('cache-control', 'no-store');
  const caller = await findCaller(parts, request, reply);
  if (caller?.scopes.length === 0) throw scopeMissing(['run', 'read', 'manage']);
  return {
    account: caller ? await readMe(parts.db, caller) : null,
    has_password: caller?.session ? await hasPassword(parts.db, caller.id) : null,
    command_line: guiseCommand(),
  };
}

async function makeSignInLink(
  parts: HttpParts,
  request: RouteRequest,
  reply: FastifyReply,
): Promise<SignInLink> {
  const caller = callerOf(request);
  sessionOf(caller);
  reply.header('cache-control', 'no-store');
  const { token, expires_at } = await createSignInLink(parts.db, caller.id);
  return { url: signInUrl(await guestBaseUrlOf(parts, request), token), expires_at: isoTime(expires_at) };
}
