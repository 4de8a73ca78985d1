import { hash, randomInt } from 'node:crypto';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { findCaller, insertCredential, listCredentials, revokeCredential } from '../store/account-records.ts';
import type { Db, Queries } from '../store/db.ts';
import type { CredentialRow } from '../store/schema.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^g[kt]_[0-9A-Za-z]{36,80}$/;
const prefixes = { key: 'gk_', token: 'gt_' } as const;

/** The account behind the credential of a request. */
export interface Caller {
  id: string;
  email: string;
}

export interface NewCredential {
  kind: CredentialRow['kind'];
  name: string;
  expiresAt?: number | null;
}

/** Creates a key or a token. The secret is returned here and nowhere else: only its hash is stored. */
export async function createCredential(
  db: Queries,
  accountId: string,
  wanted: NewCredential,
): Promise<{ id: string; secret: string }> {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  const body = prefixes[wanted.kind] + random;
  const secret = body + checksum(body);
  const id = newId();
  await db.run(insertCredential, {
    id,
    account_id: accountId,
    kind: wanted.kind,
    name: wanted.name,
    hash: hash('sha256', secret),
    last4: secret.slice(-4),
    created_at: Date.now(),
    expires_at: wanted.expiresAt ?? null,
    revoked_at: null,
  });
  return { id, secret };
}

/** A key or token as it is listed: never in full. */
export interface ListedCredential {
  id: string;
  kind: CredentialRow['kind'];
  name: string;
  last4: string;
  created_at: string;
  state: 'valid' | 'expired' | 'revoked';
}

export async function readCredentials(
  db: Queries,
  accountId: string,
  now = Date.now(),
): Promise<ListedCredential[]> {
  return (await db.all(listCredentials, { account_id: accountId })).map((row) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    last4: row.last4,
    created_at: isoTime(row.created_at),
    state: stateOf(row, now),
  }));
}

function stateOf({ revoked_at, expires_at }: CredentialRow, now: number): ListedCredential['state'] {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'valid';
}

/** Callers who have just used it may go on for a second: see `callerLookup`. */
export async function revokeKey(db: Queries, id: string): Promise<void> {
  if ((await db.run(revokeCredential, { id, now: Date.now() })) > 0) return;
  throw new AppError('NO_SUCH_KEY', `There is no valid key with the id ${id}; "keys list" shows them.`);
}

/** How long a credential that was found is cached. A revoked one works for this long. */
const cacheMs = 1000;
const maxCached = 10_000;

export type CallerLookup = (secret: string) => Caller | undefined | Promise<Caller | undefined>;

/** Finds the account behind a credential, with a cache for clients that poll several times a second. */
export function callerLookup(db: Db): CallerLookup {
  const cache = new Map<string, { caller: Caller; until: number }>();
  const query = async (secret: string, since: number) => {
    const caller = await db.one(findCaller, { hash: hash('sha256', secret), now: db.now() });
    if (cache.size >= maxCached) cache.clear();
    if (caller) cache.set(secret, { caller, until: since + cacheMs });
    else cache.delete(secret);
    return caller;
  };
  return (secret) => {
    const now = performance.now();
    const cached = cache.get(secret);
    if (cached && cached.until > now) return cached.caller;
    // A mistyped credential fails its checksum and never reaches the database.
    if (!shape.test(secret) || checksum(secret.slice(0, -6)) !== secret.slice(-6)) return undefined;
    return query(secret, now);
  };
}

/** Six base62 characters of the text's SHA-256. */
function checksum(text: string): string {
  let number = hash('sha256', `guise:${text}`, 'buffer').readUIntBE(0, 6);
  let out = '';
  for (let i = 0; i < 6; i++) {
    out += alphabet[number % 62];
    number = Math.floor(number / 62);
  }
  return out;
}
