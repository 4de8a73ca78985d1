import type { Role } from '@guise/contract/account.ts';
import { isAllowed, isInForce } from '@guise/contract/authority.ts';
import { defaultScopes, type Scope } from '@guise/contract/scopes.ts';
import { type CallerRow, findCallerByKey, touchCredential } from '../store/account-records.ts';
import { isLoginToken, readLineage, scopesOf } from '../store/accounts/lineages.ts';
import {
  findCallerBySession,
  type SessionCallerRow,
  touchSession,
} from '../store/accounts/session-records.ts';
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
  /** What the caller makes may do no more than this key. Null for whoever is signed in, who acts as the account. */
  maker_id: string | null;
  /** The event that the key is for: then it has no scopes. */
  event_id: string | null;
  /** Null for a key or a token. */
  session: CallerSession | null;
}

export interface CallerSession {
  id: string;
  created_at: number;
  /** Whether its secret has had its day. */
  needsRotation: boolean;
}

export type CallerLookup = (secret: string) => Caller | undefined | Promise<Caller | undefined>;

export interface Callers {
  /** The account behind a key, a token or the secret of a session. */
  find: CallerLookup;
  /** Forgets whom it has found, so that what was revoked in this process stops at once. */
  forget(): void;
}

/** How long a credential that was found is cached. One that another process revoked works for this long. */
const cacheMs = 1000;
const maxCached = 10_000;
/** How long the secret of a session is used, and how long after that it is still valid. */
const rotateAfterMs = 24 * 3600_000;
const previousValidMs = 60_000;
/** How exactly the last use of a credential is known. */
const useKnownMs = 60_000;

/** Finds callers, with a cache for clients that poll several times a second. */
export function createCallers(db: Db): Callers {
  const cache = new Map<string, { caller: Caller; until: number }>();
  let forgotten = 0;

  const query = async (secret: string, isSession: boolean, since: number) => {
    const began = forgotten;
    const caller = await (isSession ? findBySession : findByKey)(db, hashSecret(secret));
    if (cache.size >= maxCached) cache.clear();
    // What was read before something was revoked may not be cached after it.
    if (caller && began === forgotten) cache.set(secret, { caller, until: since + cacheMs });
    else cache.delete(secret);
    return caller;
  };

  return {
    find(secret) {
      const now = performance.now();
      const cached = cache.get(secret);
      if (cached && cached.until > now) return cached.caller;
      const kind = kindOfSecret(secret);
      return kind && kind !== 'link' ? query(secret, kind === 'session', now) : undefined;
    },
    forget() {
      forgotten++;
      cache.clear();
    },
  };
}

async function findByKey(db: Db, hash: string): Promise<Caller | undefined> {
  const now = db.now();
  const row = await db.one(findCallerByKey, { hash, now });
  if (!row) return undefined;
  const makers = await readLineage(db, { keyId: row.made_by });
  if (!isInForce(makers, now)) return undefined;
  if (row.used_at === null || row.used_at < now - useKnownMs) noteUse(db, touchCredential, row.key_id);
  const scopes = scopesOf(row.scopes).filter((scope) => isAllowed(makers, scope));
  return callerWithKey(row, scopes);
}

async function findBySession(db: Db, hash: string): Promise<Caller | undefined> {
  const now = db.now();
  const row = await db.one(findCallerBySession, { hash, now, previous_since: now - previousValidMs });
  if (!row) return undefined;
  if (row.used_at < now - useKnownMs) noteUse(db, touchSession, row.session_id);
  return callerWithSession(row, row.hash === hash && row.rotated_at < now - rotateAfterMs);
}

/** After the request has gone on its way. A time of use that cannot be written is written with the next request. */
function noteUse(db: Db, touch: typeof touchCredential | typeof touchSession, id: string): void {
  setImmediate(() => {
    const now = db.now();
    db.run(touch, { id, now, before: now - useKnownMs }).catch(() => {});
  });
}

function callerWithKey(row: CallerRow, scopes: readonly Scope[]): Caller {
  const { id, email, role, key_id, event_id } = row;
  const allowed = event_id === null ? allowedScopes(role, scopes) : [];
  const maker_id = isLoginToken(row) ? null : key_id;
  return { id, email, role, scopes: allowed, key_id, maker_id, event_id, session: null };
}

function callerWithSession(row: SessionCallerRow, needsRotation: boolean): Caller {
  const { id, email, role, session_id, created_at } = row;
  const session = { id: session_id, created_at, needsRotation };
  const scopes = sessionScopes(role);
  return { id, email, role, scopes, key_id: null, maker_id: null, event_id: null, session };
}

/** Whoever signs in may do what the account may do. */
export function sessionScopes(role: Role): readonly Scope[] {
  return allowedScopes(role, [...defaultScopes, 'operator']);
}

/** A key of somebody who is no operator any more has lost that scope too. */
export function allowedScopes(role: Role, scopes: readonly Scope[]): readonly Scope[] {
  return role === 'operator' ? scopes : scopes.filter((scope) => scope !== 'operator');
}
