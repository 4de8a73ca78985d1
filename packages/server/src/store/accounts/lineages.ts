import { type Credential, isInForce, type Lineage } from '@guise/contract/authority.ts';
import { defaultScopes, Scope } from '@guise/contract/scopes.ts';
import type { Queries } from '../db.ts';
import { readJson, TextList } from '../json-column.ts';
import type { CredentialRow } from '../schema.ts';
import { addSpent, listLineage } from './key-records.ts';

/** The key of a request, and the key that made the event or the quick test link that the request comes by. */
export interface Payers {
  keyId: string | null;
  makerId?: string | null;
}

export async function readLineage(db: Queries, { keyId, makerId = null }: Payers): Promise<Lineage> {
  if (keyId === null && makerId === null) return [];
  const rows = await db.all(listLineage, { key_id: keyId, maker_id: makerId });
  return lineageOf(rows, [keyId, makerId]);
}

/**
 * Counts a price as spent by all of a lineage, whether they may spend it or not: the lineage as it was before, for who
 * rolls back the transaction where it may not.
 */
export async function spendInLineage(
  tx: Queries,
  { keyId, makerId = null }: Payers,
  price: number,
): Promise<Lineage> {
  if (keyId === null && makerId === null) return [];
  const rows = await tx.all(addSpent, { key_id: keyId, maker_id: makerId, price });
  const before = rows.map((row) => ({ ...row, spent: row.spent - price }));
  return lineageOf(before, [keyId, makerId]);
}

/** Whether a key, with all that it descends from, was neither revoked nor has expired. Null for the account itself. */
export async function isKeyInForce(db: Queries, keyId: string | null, now: number): Promise<boolean> {
  return isInForce(await readLineage(db, { keyId }), now);
}

function lineageOf(rows: readonly CredentialRow[], from: readonly (string | null)[]): Lineage {
  const ids = new Set(rows.map(({ id }) => id));
  const isWhole = [...from, ...rows.map(({ made_by }) => made_by)].every((id) => id === null || ids.has(id));
  // Of what descends from a credential that is gone, nobody knows what that allowed.
  return isWhole ? rows.map(credentialOf) : [...rows.map(credentialOf), gone];
}

const gone: Credential = {
  scopes: [],
  budget: 0,
  spent: 0,
  expires_at: 0,
  revoked_at: 0,
  is_renewable: false,
};

function credentialOf(row: CredentialRow): Credential {
  const { budget, spent, expires_at, revoked_at } = row;
  // A key of an event has no scopes, and starts jobs.
  const scopes: readonly Scope[] = row.event_id === null ? scopesOf(row.scopes) : ['run'];
  return { scopes, budget, spent, expires_at, revoked_at, is_renewable: isLoginToken(row) };
}

/** A token that a login with the account's password gave. Those that were made to stay do not expire. */
export const isLoginToken = ({ kind, expires_at }: Pick<CredentialRow, 'kind' | 'expires_at'>): boolean =>
  kind === 'token' && expires_at !== null;

const isScope = (name: string): name is Scope => Scope.safeParse(name).success;
/** Those that this version knows: a newer one may have stored others. */
const Scopes = TextList.transform((names) => names.filter(isScope));

/** The scopes of a key as they are stored: one that was made without has the default ones. */
export function scopesOf(stored: string | null): readonly Scope[] {
  return stored === null ? defaultScopes : readJson(Scopes, stored);
}
