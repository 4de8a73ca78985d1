import { type Caller, findCallerOf } from '../accounts/keys.ts';
import { unauthorized } from '../accounts/unauthorized.ts';
import type { Db } from '../store/db.ts';
import type { Call } from './call.ts';

/** Either kind of credential in either place: one rule for every endpoint. */
export async function authenticate(db: Db, call: Call): Promise<Caller> {
  const secret = credentialOf(call.headers);
  const caller = secret === undefined ? undefined : await findCallerOf(db, secret);
  if (!caller) throw unauthorized();
  return caller;
}

function credentialOf(headers: Call['headers']): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key.trim();
  return /^\s*Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}
