import type { FastifyRequest } from 'fastify';
import type { CallerLookup } from '../accounts/keys.ts';
import { unauthorized } from '../accounts/unauthorized.ts';

/** Finds the account of a request: either kind of credential in either place, one rule for every endpoint. */
export async function authenticate(findCaller: CallerLookup, request: FastifyRequest): Promise<void> {
  const secret = credentialOf(request.headers);
  const caller = secret === undefined ? undefined : await findCaller(secret);
  if (!caller) throw unauthorized();
  request.caller = caller;
}

function credentialOf(headers: FastifyRequest['headers']): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key.trim();
  return /^\s*Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}
