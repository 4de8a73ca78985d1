import type { Me } from '@guise/contract/account.ts';
import { isoTime } from '../iso-time.ts';
import { findAccount } from '../store/account-records.ts';
import { findKey } from '../store/accounts/key-records.ts';
import type { Db } from '../store/db.ts';
import { unauthorized } from '../unauthorized.ts';
import type { Caller } from './callers.ts';

/** Who the caller is, what its credentials allow and what it has. */
export async function readMe(db: Db, caller: Pick<Caller, 'id' | 'scopes' | 'key_id'>): Promise<Me> {
  const account = await db.one(findAccount, { id: caller.id });
  if (!account) throw unauthorized();
  const key =
    caller.key_id === null ? undefined : await db.one(findKey, { id: caller.key_id, account_id: caller.id });
  return {
    id: account.id,
    email: account.email,
    role: account.role,
    scopes: [...caller.scopes],
    balance: account.balance,
    key: key ? { id: key.id, name: key.name } : null,
    created_at: isoTime(account.created_at),
  };
}
