import type { Scope } from '@guise/contract/scopes.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { insertCredential, listCredentials, revokeCredential } from '../store/account-records.ts';
import type { Queries } from '../store/db.ts';
import type { CredentialRow } from '../store/schema.ts';
import { hashSecret, makeSecret } from './secrets.ts';

export interface NewCredential {
  kind: CredentialRow['kind'];
  name: string;
  expiresAt?: number | null;
  /** Without them, the default ones. */
  scopes?: readonly Scope[] | undefined;
  /** Credits that it may spend; null for as many as the account has. */
  budget?: number | null;
}

/** Creates a key or a token. The secret is returned here and nowhere else: only its hash is stored. */
export async function createCredential(
  db: Queries,
  accountId: string,
  wanted: NewCredential,
): Promise<{ id: string; secret: string }> {
  const secret = makeSecret(wanted.kind);
  const id = newId();
  await db.run(insertCredential, {
    id,
    account_id: accountId,
    kind: wanted.kind,
    name: wanted.name,
    hash: hashSecret(secret),
    last4: secret.slice(-4),
    created_at: Date.now(),
    expires_at: wanted.expiresAt ?? null,
    revoked_at: null,
    scopes: wanted.scopes ? JSON.stringify(wanted.scopes) : null,
    budget: wanted.budget ?? null,
    spent: 0,
    used_at: null,
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

/** Callers who have just used it may go on for a second: see callers.ts. */
export async function revokeKey(db: Queries, id: string): Promise<void> {
  if ((await db.run(revokeCredential, { id, now: Date.now() })) > 0) return;
  throw new AppError('NO_SUCH_KEY', `There is no valid key with the id ${id}; "keys list" shows them.`);
}
