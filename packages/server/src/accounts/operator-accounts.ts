import type { Page } from '@guise/contract/jobs.ts';
import type { Account, AccountList, NewAccount } from '@guise/contract/operator/operator.ts';
import { grant } from '../credits/ledger.ts';
import { AppError } from '../errors.ts';
import { afterEveryId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { nextCursor } from '../next-cursor.ts';
import { findAccount, listAccountsBefore } from '../store/account-records.ts';
import type { Db, Queries } from '../store/db.ts';
import type { AccountRow } from '../store/schema.ts';
import { createAccount } from './accounts.ts';
import type { Logins } from './log-in.ts';
import { createSignInLink } from './sign-in-links.ts';

function accountShape(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    balance: row.balance,
    created_at: isoTime(row.created_at),
  };
}

/** All accounts, newest first. */
export async function readAccountPage(db: Db, page: Page): Promise<AccountList> {
  const rows = await db.all(listAccountsBefore, { before: page.cursor ?? afterEveryId, limit: page.limit });
  return {
    accounts: rows.map(accountShape),
    next_cursor: nextCursor(rows, page.limit, ({ id }) => id),
  };
}

/** An account with its first key, its first token and a link that signs in to it, which are shown only now. */
export async function openAccount(
  { db, logins }: { db: Db; logins: Logins },
  wanted: NewAccount,
): Promise<Account & { api_key: string; access_token: string; link: string }> {
  const hash = (password: string) => logins.hashPassword(password, wanted.email);
  const { id, api_key, access_token } = await createAccount(db, wanted, hash);
  const { token } = await createSignInLink(db, id);
  return { ...(await readAccount(db, id)), api_key, access_token, link: token };
}

/** Gives credits to an account. `note` is part of the transaction. */
export async function grantTo(
  db: Db,
  { id, amount }: { id: string; amount: number },
  note: (tx: Queries, id: string) => Promise<void>,
): Promise<Account> {
  return db.transaction(async (tx) => {
    await existingAccount(tx, id);
    await grant(tx, id, amount);
    await note(tx, id);
    return accountShape(await existingAccount(tx, id));
  });
}

export async function readAccount(db: Db, id: string): Promise<Account> {
  return accountShape(await existingAccount(db, id));
}

async function existingAccount(db: Queries, id: string): Promise<AccountRow> {
  const account = await db.one(findAccount, { id });
  if (!account) throw new AppError('ACCOUNT_NOT_FOUND', 'There is no account with this id.');
  return account;
}
