import type { Scope } from '@guise/contract/scopes.ts';
import { AppError } from '../errors.ts';
import { findKey } from '../store/accounts/key-records.ts';
import type { Queries } from '../store/db.ts';
import type { Caller } from './callers.ts';
import { scopeMissing } from './scope-missing.ts';

/**
 * What a caller needs to make, change or end something: nothing that a credential makes may do or spend more than the
 * credential itself.
 */
export interface Authority {
  /** What that can do; the caller needs all of these. */
  scopes: readonly Scope[];
  /** Whether it works, or stays ended, without the caller's key: then no budget or expiry of that key would limit it. */
  outlivesKey: boolean;
}

/** Jobs that the caller's own key pays for. */
export const toRun: Authority = { scopes: ['run'], outlivesKey: false };
/** What others start jobs with, at the account's cost. */
export const toLetRun: Authority = { scopes: ['run'], outlivesKey: true };
/** Credentials of others, and what they depend on. */
export const toManageOthers: Authority = { scopes: [], outlivesKey: true };

/** Throws `SCOPE_MISSING` or `KEY_LIMITED` where the caller has less than this. */
export async function assertAuthority(db: Queries, caller: Caller, needed: Authority): Promise<void> {
  const missing = needed.scopes.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0) throw scopeMissing(missing);
  if (needed.outlivesKey && (await isLimited(db, caller))) throw keyLimited();
}

async function isLimited(db: Queries, { id, key_id }: Caller): Promise<boolean> {
  const own = key_id === null ? undefined : await db.one(findKey, { id: key_id, account_id: id });
  // A token comes from a login with the account's password.
  return own?.kind === 'key' && (own.budget !== null || own.expires_at !== null);
}

const keyLimited = () =>
  new AppError(
    'KEY_LIMITED',
    'A key that has a budget or an expiry can neither make, change nor end keys, sessions, events and quick test links.',
  );
