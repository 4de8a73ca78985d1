import type { Role } from '@guise/contract/account.ts';
import { defaultScopes, type Scope } from '@guise/contract/scopes.ts';
import { type CallerRow, findCallerByKey } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import { hashSecret, kindOfSecret } from './secrets.ts';

/** The account behind the credentials of a request, and what they allow. */
export interface Caller {
  id: string;
  email: string;
  role: Role;
  scopes: readonly Scope[];
  /** The key or token of the request; null for a session. */
  key_id: string | null;
}

/** How long a credential that was found is cached. A revoked one works for this long. */
const cacheMs = 1000;
const maxCached = 10_000;

export type CallerLookup = (secret: string) => Caller | undefined | Promise<Caller | undefined>;

/** Finds the account behind a credential, with a cache for clients that poll several times a second. */
export function callerLookup(db: Db): CallerLookup {
  const cache = new Map<string, { caller: Caller; until: number }>();
  const query = async (secret: string, since: number) => {
    const row = await db.one(findCallerByKey, { hash: hashSecret(secret), now: db.now() });
    const caller = row && callerWithKey(row);
    if (cache.size >= maxCached) cache.clear();
    if (caller) cache.set(secret, { caller, until: since + cacheMs });
    else cache.delete(secret);
    return caller;
  };
  return (secret) => {
    const now = performance.now();
    const cached = cache.get(secret);
    if (cached && cached.until > now) return cached.caller;
    const kind = kindOfSecret(secret);
    return kind === 'key' || kind === 'token' ? query(secret, now) : undefined;
  };
}

function callerWithKey({ scopes, ...row }: CallerRow): Caller {
  return { ...row, scopes: allowedScopes(row.role, scopesOf(scopes)) };
}

/** The scopes of a key as they are stored: one that was made without has the default ones. */
export function scopesOf(stored: string | null): readonly Scope[] {
  return stored === null ? defaultScopes : (JSON.parse(stored) as Scope[]);
}

/** A key of somebody who is no operator any more has lost that scope too. */
function allowedScopes(role: Role, scopes: readonly Scope[]): readonly Scope[] {
  return role === 'operator' ? scopes : scopes.filter((scope) => scope !== 'operator');
}
