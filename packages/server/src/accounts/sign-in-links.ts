import { insertSignInLink, takeSignInLink } from '../store/accounts/session-records.ts';
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
  const expires_at = now + validMs;
  await db.run(insertSignInLink, { hash: hashSecret(token), account_id: accountId, expires_at });
  return { token, expires_at };
}

/** The account of a link, which is used up by this; undefined for one that is not valid. */
export async function useSignInLink(db: Db, token: string): Promise<string | undefined> {
  if (kindOfSecret(token) !== 'link') return undefined;
  return (await db.one(takeSignInLink, { hash: hashSecret(token), now: db.now() }))?.account_id;
}

/** Where a link leads. The token is the fragment, which browsers send to no server and so no log holds. */
export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/studio/sign-in#${token}`;
}
