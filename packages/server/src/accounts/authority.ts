import { type Act, refusalOf } from '@guise/contract/authority.ts';
import { refusedAct } from '../refused-act.ts';
import { scopeMissing } from '../scope-missing.ts';
import { readLineage } from '../store/accounts/lineages.ts';
import type { Db } from '../store/db.ts';
import type { Caller } from './callers.ts';

/** Jobs that the caller's own key pays for, and tests of filters, which are free where anything is left of its budget. */
export const toRun: Act = { scopes: ['run'], price: 1 };
/** What others start jobs with, at the account's cost. */
export const toLetRun: Act = { scopes: ['run'], outlives: true };
/** Credentials of others, and what they depend on. */
export const toManageOthers: Act = { scopes: [], outlives: true };

/** Throws where the caller, or a key that its own descends from, may not do this. */
export async function assertAuthority(db: Db, caller: Caller, act: Act): Promise<void> {
  // Somebody who is signed in has the scopes of the role.
  const missing = act.scopes.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length > 0) throw scopeMissing(missing);
  const refusal = refusalOf(await readLineage(db, { keyId: caller.key_id }), act, db.now());
  if (refusal) throw refusedAct(refusal);
}
