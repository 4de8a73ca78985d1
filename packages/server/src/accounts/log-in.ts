import { timingSafeEqual } from 'node:crypto';
import type { Gate } from '../admission/gate.ts';
import { findAccount, findAccountByEmail } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import type { AccountRow } from '../store/schema.ts';
import { unauthorized } from '../unauthorized.ts';
import { createCredential } from './keys.ts';
import { LoginFailures, networkOf } from './login-failures.ts';
import { hashPassword, parsePasswordHash, unknownPassword } from './password-hash.ts';
import { PasswordHasher } from './password-hasher.ts';
import { useSignInLink } from './sign-in-links.ts';

export interface Login {
  email: string;
  password: string;
  /** Where the caller connects from. */
  address: string;
}

export interface SharedPassword {
  /** What it opens. */
  name: string;
  password: string;
  /** As it is stored; null where there is none, which no password matches. */
  stored: string | null;
  address: string;
}

/** Who somebody is: `UNAUTHORIZED` for every wrong answer, `RATE_LIMITED` after too many. */
export interface Logins {
  /** An access token for an email and a password. */
  logIn(login: Login): Promise<{ access_token: string; expires_in: number }>;
  /** The account of an email and a password. */
  checkPassword(login: Login): Promise<AccountRow>;
  /** The account of a sign-in link, which is used up by this. */
  checkLink(token: string, address: string): Promise<AccountRow>;
  /** Whether a password that several people share is right: one of a gallery, which many of its guests get wrong. */
  checkShared(attempt: SharedPassword): Promise<boolean>;
  /** A new password as it is stored. */
  hashPassword(password: string, accountId: string): Promise<string>;
  stop(): Promise<void>;
}

const tokenSeconds = 24 * 3600;
/** The phones of a venue may share an address, so a shared password may be wrong so many times as often. */
const sharedFactor = 3;
/** After that one may be tried so often: whoever knows it is not locked out by the others. */
const sharedEveryMs = 5000;

/** `mostFailures` is what one account may get wrong from one address in 15 minutes; 0 is no limit. */
export function createLogins(db: Db, mostFailures: number, gate: Gate): Logins {
  const failures = new LoginFailures(mostFailures);
  const sharedFailures = new LoginFailures(sharedFactor * mostFailures, { thenEveryMs: sharedEveryMs });
  const hasher = new PasswordHasher(gate);

  /** An unknown email takes as long as a wrong password, so that the time does not reveal which it was. */
  const isRight = async (password: string, stored: string | null, address: string) => {
    const hash = stored === null ? unknownPassword() : parsePasswordHash(stored);
    const key = await hasher.derive({ password, salt: hash.salt, cost: hash.cost }, networkOf(address));
    return key.length === hash.key.length && timingSafeEqual(key, hash.key);
  };

  const checkPassword: Logins['checkPassword'] = async ({ password, address, ...login }) => {
    const email = login.email.trim().toLowerCase();
    const attempt = { email, address };
    failures.check(attempt);
    const account = await db.one(findAccountByEmail, { email });
    if ((await isRight(password, account?.password_hash ?? null, address)) && account) return account;
    failures.record(attempt);
    throw unauthorized();
  };

  return {
    checkPassword,
    async checkLink(token, address) {
      const attempt = { email: null, address };
      failures.check(attempt);
      const id = await useSignInLink(db, token).catch((error) => {
        failures.record(attempt);
        throw error;
      });
      const account = id === undefined ? undefined : await db.one(findAccount, { id });
      if (account) return account;
      failures.record(attempt);
      throw unauthorized();
    },
    async checkShared({ name, password, stored, address }) {
      const attempt = { email: name, address };
      sharedFailures.check(attempt);
      const right = await isRight(password, stored, address);
      if (!right) sharedFailures.record(attempt);
      return right;
    },
    async logIn(login) {
      const account = await checkPassword(login);
      const token = await createCredential(db, account.id, {
        kind: 'token',
        name: 'logged in',
        expiresAt: Date.now() + tokenSeconds * 1000,
      });
      return { access_token: token.secret, expires_in: tokenSeconds };
    },
    hashPassword: (password, accountId) => hashPassword(password, (task) => hasher.derive(task, accountId)),
    stop: () => hasher.stop(),
  };
}
