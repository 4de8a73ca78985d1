import { AppError } from '../errors.ts';
import { findSignInLink, insertSignInLink, takeSignInLink } from '../store/accounts/session-records.ts';
import type { Db } from '../store/db.ts';
import { hashSecret, kindOfSecret, makeSecret } from './secrets.ts';

const validMs = 24 * 3600_000;

/** A token that signs in once within 24 h. Only its hash is stored. */
export async function createSignInLink(
  db: Db,
  accountId: string,
  now = db.now(),
): Promise<{ token: string; expires_at: number }> {
  const token = makeSecret('link');
  return { token, expires_at: await addSignInLink(db, token, accountId, now) };
}

/** Returns when it expires. */
export async function addSignInLink(
  db: Db,
  token: string,
  accountId: string,
  now = db.now(),
): Promise<number> {
  const expires_at = now + validMs;
  const hash = hashSecret(token);
  await db.run(insertSignInLink, { hash, account_id: accountId, expires_at, used_at: null });
  return expires_at;
}

const linkUsed = () =>
  new AppError('SIGN_IN_LINK_USED', 'This link has been used. A sign-in link works only once.');
const linkExpired = () =>
  new AppError('SIGN_IN_LINK_EXPIRED', 'This link has expired. A sign-in link works for 24 hours.');

/** The account of a link, which is used up by this; undefined for one that never was or was made long ago. */
export async function useSignInLink(db: Db, token: string): Promise<string | undefined> {
  if (kindOfSecret(token) !== 'link') return undefined;
  const hash = hashSecret(token);
  const taken = await db.one(takeSignInLink, { hash, now: db.now() });
  if (taken) return taken.account_id;
  const former = await db.one(findSignInLink, { hash });
  if (former) throw former.used_at === null ? linkExpired() : linkUsed();
  return undefined;
}

/** Where a link leads. The token is the fragment, which browsers send to no server and so no log holds. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/studio/sign-in#${token}`;
}
