import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { unauthorized } from '../unauthorized.ts';

/**
 * Figures tell how busy an installation is and what it runs, so they are for its operator. Without a token they are
 * answered to this machine alone: by a connection from a loopback address, unless a proxy passed the request on.
 */
export function checkMetricsAccess(token: string, request: FastifyRequest): void {
  const allowed = token === '' ? isFromThisMachine(request) : bearsToken(token, request);
  if (!allowed) throw unauthorized();
}

function isFromThisMachine({ raw: { socket, headers } }: FastifyRequest): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  return /^(127\.|::1$|::ffff:127\.)/.test(socket.remoteAddress ?? '');
}

function bearsToken(token: string, { headers }: FastifyRequest): boolean {
  const wanted = Buffer.from(`Bearer ${token}`);
  const given = Buffer.from(headers.authorization ?? '');
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
