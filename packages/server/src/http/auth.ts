import type { Caller } from '../accounts/keys.ts';
import { unauthorized } from '../accounts/unauthorized.ts';
import type { Call } from './call.ts';
import type { HttpParts } from './parts.ts';

/** Either kind of credential in either place: one rule for every endpoint. */
export async function authenticate(parts: HttpParts, call: Call): Promise<Caller> {
  const secret = credentialOf(call.headers);
  const caller = secret === undefined ? undefined : await parts.findCaller(secret);
  if (!caller) throw unauthorized();
  return caller;
}

function credentialOf(headers: Call['headers']): string | undefined {
  const key = headers['x-api-key'];
  if (typeof key === 'string' && key !== '') return key.trim();
  return /^\s*Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}
