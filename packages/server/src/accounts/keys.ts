import type { Role } from '@guise/contract/account.ts';
import { isInForce, mostGenerations } from '@guise/contract/authority.ts';
import type { Page } from '@guise/contract/jobs.ts';
import type { CreatedKey, Key, KeyChange, KeyList, NewKey } from '@guise/contract/keys.ts';
import { defaultScopes, type Scope } from '@guise/contract/scopes.ts';
import { AppError, invalidField } from '../errors.ts';
import { afterEveryId, newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { nextCursor } from '../next-cursor.ts';
import { changedElsewhere, type Precondition } from '../precondition.ts';
import { insertCredential, listCredentials, revokeCredential } from '../store/account-records.ts';
import { countKeys, findKey, listKeys, updateKey } from '../store/accounts/key-records.ts';
import { readLineage, scopesOf } from '../store/accounts/lineages.ts';
import type { Db, Queries } from '../store/db.ts';
import type { CredentialRow } from '../store/schema.ts';
import { assertAuthority, toManageOthers } from './authority.ts';
import { allowedScopes, type Caller, type Callers } from './callers.ts';
import { hashSecret, makeSecret } from './secrets.ts';

export interface NewCredential {
  kind: CredentialRow['kind'];
  name: string;
  expiresAt?: number | null;
  /** Without them, the default ones. */
  scopes?: readonly Scope[] | undefined;
  /** Credits that it may spend; null for as many as the account has. */
  budget?: number | null | undefined;
  /** The event whose booths it is for; then `scopes` must be empty. */
  eventId?: string;
  /** The key that makes it. */
  madeBy?: string | null;
}

/** Creates a key or a token. The secret is returned here and nowhere else: only its hash is stored. */
export async function createCredential(
  db: Queries,
  accountId: string,
  wanted: NewCredential,
): Promise<CredentialRow & { secret: string }> {
  const secret = makeSecret(wanted.kind);
  const row: CredentialRow = {
    id: newId(),
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
    version: 1,
    event_id: wanted.eventId ?? null,
    made_by: wanted.madeBy ?? null,
  };
  await db.run(insertCredential, row);
  return { ...row, secret };
}

/** All keys and tokens of an account, oldest first, for the command line. */
export async function readCredentials(db: Queries, accountId: string, now = Date.now()): Promise<Key[]> {
  const rows = await db.all(listCredentials, { account_id: accountId });
  return Promise.all(rows.map((row) => readKey(db, row, now)));
}

/** A key has ended with the one that made it. */
async function readKey(db: Queries, row: CredentialRow, now: number): Promise<Key> {
  const key = keyOf(row, now);
  if (key.state !== 'valid' || row.made_by === null) return key;
  const makers = await readLineage(db, { keyId: row.made_by });
  if (isInForce(makers, now)) return key;
  return { ...key, state: makers.some(({ revoked_at }) => revoked_at !== null) ? 'revoked' : 'expired' };
}

export function keyOf(row: CredentialRow, now: number): Key {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    last4: row.last4,
    scopes: [...scopesOf(row.scopes)],
    budget: row.budget,
    spent: row.spent,
    created_at: isoTime(row.created_at),
    expires_at: row.expires_at === null ? null : isoTime(row.expires_at),
    last_used: row.used_at === null ? null : isoTime(row.used_at),
    state: stateOf(row, now),
    event_id: row.event_id,
    made_by: row.made_by,
  };
}

function stateOf({ revoked_at, expires_at }: CredentialRow, now: number): Key['state'] {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && expires_at <= now ? 'expired' : 'valid';
}

/** For the command line. Callers who have just used the key may go on for a second: see callers.ts. */
export async function revokeKeyById(db: Queries, id: string): Promise<void> {
  if ((await db.run(revokeCredential, { id, now: Date.now() })) > 0) return;
  throw new AppError('NO_SUCH_KEY', `There is no valid key with the id ${id}; "keys list" shows them.`);
}

/** What keys stand on, where callers make and change them. */
export interface KeyParts {
  db: Db;
  callers: Callers;
}

/** A key as it is shown, with the version that `If-Match` names. */
export interface VersionedKey<Shown extends Key = Key> {
  key: Shown;
  version: number;
}

export const mostKeys = 200;

const keyNotFound = () => new AppError('KEY_NOT_FOUND', 'There is no valid key with this id.');

/** The caller's keys and tokens, newest first. */
export async function readKeys(db: Db, accountId: string, page: Page): Promise<KeyList> {
  const rows = await db.all(listKeys, {
    account_id: accountId,
    before: page.cursor ?? afterEveryId,
    limit: page.limit,
  });
  return {
    keys: await Promise.all(rows.map((row) => readKey(db, row, db.now()))),
    next_cursor: nextCursor(rows, page.limit, ({ id }) => id),
  };
}

/** Makes a key that may do no more than its maker. `note` is part of the transaction. */
export async function createKey(
  db: Db,
  caller: Caller,
  wanted: NewKey,
  note: (tx: Queries, id: string) => Promise<void>,
): Promise<VersionedKey<CreatedKey>> {
  await assertAuthority(db, caller, { scopes: wanted.scopes ?? defaultScopes, outlives: true });
  const expiresAt = readKeyExpiry(db, wanted.expires_at ?? null);
  const { name, scopes, budget } = wanted;
  return db.transaction(async (tx) => {
    if ((await tx.one(countKeys, { account_id: caller.id }))!.count >= mostKeys) throw tooManyKeys();
    await assertGenerations(tx, caller);
    const credential = { kind: 'key', name, scopes, budget, expiresAt, madeBy: caller.maker_id } as const;
    const { secret, ...row } = await createCredential(tx, caller.id, credential);
    await note(tx, row.id);
    return { key: { ...keyOf(row, db.now()), secret }, version: row.version };
  });
}

/** Changes what is given. The caller may not give a key more than it could give a new one. Another process knows the old expiry for up to a second. */
export async function changeKey(
  { db, callers }: KeyParts,
  caller: Caller,
  id: string,
  change: KeyChange,
  check: Precondition,
): Promise<VersionedKey> {
  const own = { id, account_id: caller.id };
  const row = await validKey(db, own);
  if (change.budget !== undefined || change.expires_at !== undefined)
    await assertAuthority(db, caller, { scopes: usableScopes(row, caller.role), outlives: true });
  check(row.version);
  const edit = {
    ...own,
    version: row.version,
    name: change.name ?? row.name,
    budget: change.budget === undefined ? row.budget : change.budget,
    expires_at: change.expires_at === undefined ? row.expires_at : readKeyExpiry(db, change.expires_at),
  };
  if ((await db.run(updateKey, edit)) === 0) throw changedElsewhere();
  callers.forget();
  const changed = await validKey(db, own);
  return { key: await readKey(db, changed, db.now()), version: changed.version };
}

/** At once in this process, within a second in others. Every key that has not ended may revoke itself. */
export async function revokeKey(
  { db, callers }: KeyParts,
  caller: Caller,
  id: string,
  check: Precondition,
): Promise<void> {
  await assertAuthority(db, caller, id === caller.key_id ? { scopes: [] } : toManageOthers);
  await db.transaction(async (tx) => {
    check((await validKey(tx, { id, account_id: caller.id })).version);
    await tx.run(revokeCredential, { id, now: db.now() });
  });
  callers.forget();
}

async function validKey(db: Queries, own: { id: string; account_id: string }): Promise<CredentialRow> {
  const row = await db.one(findKey, own);
  if (!row || row.revoked_at !== null) throw keyNotFound();
  return row;
}

/** What a key does for whoever has it: one of an event starts its jobs. */
function usableScopes(row: CredentialRow, role: Role): readonly Scope[] {
  return row.event_id === null ? allowedScopes(role, scopesOf(row.scopes)) : ['run'];
}

/** So that no request waits for a walk up a long line of keys. */
export async function assertGenerations(tx: Queries, { maker_id }: Caller): Promise<void> {
  const { length } = await readLineage(tx, { keyId: maker_id });
  if (length < mostGenerations) return;
  throw new AppError(
    'LIMIT_REACHED',
    `This key is the last of ${mostGenerations} that made one another. Make the next with an earlier one.`,
  );
}

export function readKeyExpiry(db: Db, given: string | null): number | null {
  if (given === null) return null;
  const time = Date.parse(given);
  if (time > db.now()) return time;
  throw invalidField('expires_at', 'must be in the future');
}

export const tooManyKeys = () =>
  new AppError('LIMIT_REACHED', `This account has ${mostKeys} keys, as many as it may have.`);

/** The answer to a repeated `Idempotency-Key`: the first one showed the secret, and nobody has it any more. */
export const keyWasShown = () =>
  new AppError(
    'IDEMPOTENCY_CONFLICT',
    'A key was made with this Idempotency-Key, and its secret was shown then. Revoke it and make another one.',
  );
