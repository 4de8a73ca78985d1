import type { NewPassword } from '@guise/contract/sessions.ts';
import { AppError } from '../errors.ts';
import { findAccount, revokeLoginTokens, updatePassword } from '../store/account-records.ts';
import { deleteOtherSessions, deleteSignInLinksOf } from '../store/accounts/session-records.ts';
import type { Db } from '../store/db.ts';
import { unauthorized } from '../unauthorized.ts';
import type { Caller, CallerSession } from './callers.ts';
import type { Logins } from './log-in.ts';
import type { SessionParts } from './sessions.ts';

const sessionNeeded = () =>
  new AppError('SESSION_NEEDED', 'Only somebody who is signed in with a browser may do this.');
const wrongPassword = () => new AppError('WRONG_PASSWORD', 'The current password is wrong.');

/** The session of a caller. A key may not do what signs in: whoever has one could then do all that its account may do. */
export function sessionOf({ session }: Caller): CallerSession {
  if (!session) throw sessionNeeded();
  return session;
}

export async function hasPassword(db: Db, accountId: string): Promise<boolean> {
  return (await existingAccount(db, accountId)).password_hash !== null;
}

/**
 * Sets the password of the caller, who has to know the one before it. Other sessions end, and so do tokens of logins and
 * sign-in links: whoever signed in with the old password is out.
 */
export async function setPassword(
  { db, callers, logins }: SessionParts & { logins: Logins },
  caller: Caller,
  { password, current_password }: NewPassword,
  address: string,
): Promise<void> {
  const session = sessionOf(caller);
  const { id, email, password_hash } = await existingAccount(db, caller.id);
  if (password_hash !== null) {
    if (current_password === undefined) throw wrongPassword();
    await logins.checkPassword({ email, password: current_password, address }).catch((error) => {
      throw error instanceof AppError && error.code === 'UNAUTHORIZED' ? wrongPassword() : error;
    });
  }
  const hash = await logins.hashPassword(password, id);
  await db.transaction(async (tx) => {
    await tx.run(updatePassword, { id, password_hash: hash });
    await tx.run(deleteOtherSessions, { account_id: id, kept: session.id });
    await tx.run(deleteSignInLinksOf, { account_id: id });
    await tx.run(revokeLoginTokens, { account_id: id, now: db.now() });
  });
  callers.forget();
}

async function existingAccount(db: Db, id: string) {
  const account = await db.one(findAccount, { id });
  if (!account) throw unauthorized();
  return account;
}
