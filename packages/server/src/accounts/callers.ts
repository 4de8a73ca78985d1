import type { Role } from '@guise/contract/account.ts';
import { defaultScopes, Scope } from '@guise/contract/scopes.ts';
import { type CallerRow, findCallerByKey, touchCredential } from '../store/account-records.ts';
import {
  findCallerBySession,
  type SessionCallerRow,
  touchSession,
} from '../store/accounts/session-records.ts';
import type { Db } from '../store/db.ts';
import { readJson, TextList } from '../store/json-column.ts';
import { hashSecret, kindOfSecret } from './secrets.ts';

/** The account behind the credentials of a request, and what they allow. */
export interface Caller {
  id: string;
  email: string;
  role: Role;
  scopes: readonly Scope[];
  /** The key or token of the request; null for a session. */
  key_id: string | null;
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
  if (row.used_at === null || row.used_at < now - useKnownMs) noteUse(db, touchCredential, row.key_id);
  return callerWithKey(row);
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

function callerWithKey({ id, email, role, key_id, scopes, event_id }: CallerRow): Caller {
  const allowed = event_id === null ? allowedScopes(role, scopesOf(scopes)) : [];
  return { id, email, role, scopes: allowed, key_id, event_id, session: null };
}

function callerWithSession(row: SessionCallerRow, needsRotation: boolean): Caller {
  const { id, email, role, session_id, created_at } = row;
  const session = { id: session_id, created_at, needsRotation };
  return { id, email, role, scopes: sessionScopes(role), key_id: null, event_id: null, session };
}

const isScope = (name: string): name is Scope => Scope.safeParse(name).success;
/** Those that this version knows: a newer one may have stored others. */
const Scopes = TextList.transform((names) => names.filter(isScope));

/** The scopes of a key as they are stored: one that was made without has the default ones. */
export function scopesOf(stored: string | null): readonly Scope[] {
  return stored === null ? defaultScopes : readJson(Scopes, stored);
}

/** Whoever signs in may do what the account may do. */
export function sessionScopes(role: Role): readonly Scope[] {
  return allowedScopes(role, [...defaultScopes, 'operator']);
}

/** A key of somebody who is no operator any more has lost that scope too. */
export function allowedScopes(role: Role, scopes: readonly Scope[]): readonly Scope[] {
  return role === 'operator' ? scopes : scopes.filter((scope) => scope !== 'operator');
}
