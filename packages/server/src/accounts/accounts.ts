import type { Role } from '@guise/contract/account.ts';
import { grant } from '../credits/ledger.ts';
import { AppError } from '../errors.ts';
import { newId } from '../ids.ts';
import { isoTime } from '../iso-time.ts';
import { findAccountByEmail, insertAccount, listAccounts } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import type { AccountRow } from '../store/schema.ts';
import { createCredential } from './keys.ts';
import { hashPassword } from './password-hash.ts';

export interface NewAccount {
  email: string;
  password?: string | undefined;
  credits: number;
  role?: Role;
}

/** An account with its first key and a token that does not expire. */
export async function createAccount(
  db: Db,
  wanted: NewAccount,
  hash: (password: string) => Promise<string> = hashPassword,
): Promise<{ id: string; email: string; api_key: string; access_token: string }> {
  const email = wanted.email.trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new AppError('BAD_EMAIL', `${wanted.email} is not an email address.`);
  if (await db.one(findAccountByEmail, { email })) {
    throw new AppError('ACCOUNT_EXISTS', `An account for ${email} already exists.`);
  }
  const id = newId();
  const role = wanted.role ?? 'account';
  const password_hash = wanted.password === undefined ? null : await hash(wanted.password);
  return db.transaction(async (tx) => {
    await tx.run(insertAccount, { id, email, password_hash, balance: 0, role, created_at: Date.now() });
    if (wanted.credits > 0) await grant(tx, id, wanted.credits);
    const key = await createCredential(tx, id, { kind: 'key', name: 'first key' });
    const token = await createCredential(tx, id, { kind: 'token', name: 'first token' });
    return { id, email, api_key: key.secret, access_token: token.secret };
  });
}

export async function accountOf(db: Db, email: string): Promise<AccountRow> {
  const account = await db.one(findAccountByEmail, { email: email.trim().toLowerCase() });
  if (!account) throw new AppError('NO_SUCH_ACCOUNT', `There is no account for ${email}.`);
  return account;
}

const mostNamed = 5;

/** The account of an installation that has one; otherwise it has to be named. */
export async function onlyAccount(db: Db): Promise<AccountRow> {
  const [account, ...others] = await db.all(listAccounts, {});
  if (!account)
    throw new AppError(
      'NO_SUCH_ACCOUNT',
      'There is no account here. If the server was started with settings such as GUISE_DATA_DIR, set them for this command too; otherwise make an account with "accounts create".',
    );
  if (others.length === 0) return account;
  const named = [account, ...others].slice(0, mostNamed).map(({ email }) => email);
  const more = others.length + 1 > mostNamed ? ', …' : '';
  throw new AppError(
    'USAGE',
    `There are ${others.length + 1} accounts. Name one of ${named.join(', ')}${more}.`,
  );
}

/** Every account with its balance, oldest first. */
export async function readAccounts(
  db: Db,
): Promise<{ email: string; credits: number; created_at: string }[]> {
  return (await db.all(listAccounts, {})).map((row) => ({
    email: row.email,
    credits: row.balance,
    created_at: isoTime(row.created_at),
  }));
}

export async function grantCredits(
  db: Db,
  email: string,
  amount: number,
): Promise<{ email: string; balance: number }> {
  const { id } = await accountOf(db, email);
  await db.transaction((tx) => grant(tx, id, amount));
  const account = await accountOf(db, email);
  return { email: account.email, balance: account.balance };
}
