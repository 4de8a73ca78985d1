import { sessionCookie, sessionHeader } from '@guise/contract/sessions.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { SessionSecret } from '../accounts/sessions.ts';
import type { HttpParts } from './parts.ts';

const cookieShape = new RegExp(`(?:^|;)\\s*${sessionCookie}=([^;\\s]+)`);

/**
 * The secret in a request's session cookie. It counts only with a header that pages of other origins cannot send,
 * because their browsers ask first and get no leave, and only where the browser does not say that it is another origin.
 */
export function sessionSecretOf(parts: HttpParts, request: FastifyRequest): string | undefined {
  if (request.headers[sessionHeader.toLowerCase()] !== '1' || !isSameOrigin(parts, request)) return undefined;
  return cookieShape.exec(request.headers.cookie ?? '')?.[1];
}

/** False where the browser says that a page of another origin sends this. Clients other than browsers say nothing. */
export function isSameOrigin({ publicUrl }: HttpParts, request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return true;
  // The scheme is not compared: whoever ends TLS in front of the server may not be known to it.
  const host = hostOf(origin);
  return host !== undefined && (host === request.host || host === hostOf(publicUrl));
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

/** Hands a session to the browser. No script can read it, and no other site can send it. */
export function setSessionCookie(
  parts: HttpParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, expires_at }: SessionSecret,
): void {
  const seconds = Math.round((expires_at - parts.db.now()) / 1000);
  reply.header('set-cookie', writeCookie(parts, request, secret, seconds));
}

export function clearSessionCookie(parts: HttpParts, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', writeCookie(parts, request, '', 0));
}

function writeCookie(parts: HttpParts, request: FastifyRequest, value: string, seconds: number): string {
  const byHttps = request.protocol === 'https' || parts.publicUrl.startsWith('https:');
  return [
    `${sessionCookie}=${value}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...(byHttps ? ['Secure'] : []),
    `Max-Age=${seconds}`,
  ].join('; ');
}
