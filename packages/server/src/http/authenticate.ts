import type { Scope } from '@guise/contract/scopes.ts';
import type { FastifyRequest } from 'fastify';
import type { Caller, CallerLookup } from '../accounts/callers.ts';
import { unauthorized } from '../accounts/unauthorized.ts';
import { AppError } from '../errors.ts';

/**
 * Finds the account of a request: either kind of credential in either place, one rule for every endpoint. Throws where
 * there is none, or where the credential has none of the endpoint's scopes.
 */
export async function authenticate(
  findCaller: CallerLookup,
  request: FastifyRequest,
  scopes: readonly Scope[],
): Promise<void> {
  const secret = credentialOf(request.headers);
  const caller = secret === undefined ? undefined : await findCaller(secret);
  if (!caller) throw unauthorized();
  request.caller = caller;
  requireScope(caller, scopes);
}

/** Whether the credentials of a request that is still being answered have not been revoked meanwhile. */
export async function isStillAllowed(findCaller: CallerLookup, request: FastifyRequest): Promise<boolean> {
  const secret = credentialOf(request.headers);
  const caller = secret === undefined ? undefined : await findCaller(secret);
  return caller !== undefined && caller.id === request.caller?.id;
}

function credentialOf(headers: FastifyRequest['headers']): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key.trim();
  return /^\s*Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

function requireScope(caller: Caller, scopes: readonly Scope[]): void {
  if (scopes.some((scope) => caller.scopes.includes(scope))) return;
  throw scopeMissing(scopes);
}

function scopeMissing(scopes: readonly Scope[]): AppError {
  const one = scopes.length === 1 ? `the scope ${scopes[0]}` : `one of the scopes ${scopes.join(', ')}`;
  return new AppError('SCOPE_MISSING', `This needs ${one}, which these credentials do not have.`);
}
