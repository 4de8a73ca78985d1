import type { FastifyRequest } from 'fastify';
import { type Caller, findCallerOf } from '../accounts/keys.ts';
import { unauthorized } from '../accounts/unauthorized.ts';
import type { Db } from '../store/db.ts';

/** Either kind of credential in either place: one rule for every endpoint. */
export async function authenticate(db: Db, request: FastifyRequest): Promise<Caller> {
  const secret = credentialOf(request.headers);
  const caller = secret === undefined ? undefined : await findCallerOf(db, secret);
  if (!caller) throw unauthorized();
  return caller;
}

function credentialOf(headers: FastifyRequest['headers']): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key.trim();
  return /^\s*Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}
