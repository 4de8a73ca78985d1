import type { Account, AccountList, NewAccount } from '@guise/contract/operator.ts';
import { grant } from '../credits/ledger.ts';
import { AppError } from '../errors.ts';
import { isoTime } from '../iso-time.ts';
import { findAccount, listAccountsBefore } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import { findIdempotency, insertIdempotency } from '../store/idempotency-records.ts';
import type { AccountRow } from '../store/schema.ts';
import { createAccount } from './accounts.ts';
import type { Logins } from './log-in.ts';
import { createSignInLink } from './sign-in-links.ts';

const idempotencyMs = 24 * 3600_000;

export function accountShape(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    balance: row.balance,
    created_at: isoTime(row.created_at),
  };
}

/** All accounts, newest first. */
export async function readAccountPage(
  db: Db,
  page: { cursor?: string | undefined; limit: number },
): Promise<AccountList> {
  const rows = await db.all(listAccountsBefore, { before: page.cursor ?? '~', limit: page.limit });
  return {
    accounts: rows.map(accountShape),
    next_cursor: rows.length === page.limit ? (rows.at(-1)?.id ?? null) : null,
  };
}

/** An account with its first key, its first token and a link that signs in to it, which are shown only now. */
export async function openAccount(
  { db, logins }: { db: Db; logins: Logins },
  wanted: NewAccount,
): Promise<Account & { api_key: string; access_token: string; link: string }> {
  const { id, api_key, access_token } = await createAccount(db, wanted, logins.hashPassword);
  const { token } = await createSignInLink(db, id);
  return { ...accountShape(await existingAccount(db, id)), api_key, access_token, link: token };
}

/** Gives credits to an account, once for an operator's `Idempotency-Key`. */
export async function grantTo(
  db: Db,
  operatorId: string,
  given: { id: string; amount: number },
  idempotency: { key: string; fingerprint: string } | null,
): Promise<Account> {
  const now = db.now();
  const earlier =
    idempotency && (await db.one(findIdempotency, { ...idempotency, account_id: operatorId, now }));
  if (earlier && earlier.fingerprint === idempotency.fingerprint)
    return JSON.parse(earlier.answer) as Account;
  return db.transaction(async (tx) => {
    await existingAccount(tx, given.id);
    await grant(tx, given.id, given.amount);
    const account = accountShape(await existingAccount(tx, given.id));
    if (!idempotency) return account;
    const row = { ...idempotency, account_id: operatorId, job_id: given.id, answer: JSON.stringify(account) };
    const rows = await tx.run(insertIdempotency, { ...row, expires_at: now + idempotencyMs, now });
    if (rows === 0)
      throw new AppError('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another request.');
    return account;
  });
}

async function existingAccount(db: Pick<Db, 'one'>, id: string): Promise<AccountRow> {
  const account = await db.one(findAccount, { id });
  if (!account) throw new AppError('ACCOUNT_NOT_FOUND', 'There is no account with this id.');
  return account;
}
