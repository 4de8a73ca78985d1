import { timingSafeEqual } from 'node:crypto';
import { findAccountByEmail } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import { createCredential } from './keys.ts';
import { LoginFailures } from './login-failures.ts';
import { parsePasswordHash, unknownPassword } from './password-hash.ts';
import { PasswordHasher } from './password-hasher.ts';
import { unauthorized } from './unauthorized.ts';

export interface Login {
  email: string;
  password: string;
  /** Where the caller connects from. */
  address: string;
}

export interface Logins {
  /** An access token; `UNAUTHORIZED` for every wrong email or password, `RATE_LIMITED` after too many. */
  logIn(login: Login): Promise<{ access_token: string; expires_in: number }>;
  stop(): Promise<void>;
}

const tokenSeconds = 24 * 3600;

/** `mostFailures` is what one account may get wrong from one address in 15 minutes; 0 is no limit. */
export function createLogins(db: Db, mostFailures: number): Logins {
  const failures = new LoginFailures(mostFailures);
  const hasher = new PasswordHasher();

  /** An unknown email takes as long as a wrong password, so that the time does not reveal which it was. */
  const isRight = async (password: string, stored: string | null) => {
    const hash = stored === null ? unknownPassword() : parsePasswordHash(stored);
    const key = await hasher.derive({ password, salt: hash.salt, cost: hash.cost });
    return key.length === hash.key.length && timingSafeEqual(key, hash.key);
  };

  return {
    async logIn({ password, address, ...login }) {
      const email = login.email.trim().toLowerCase();
      const attempt = { email, address };
      failures.check(attempt);
      const account = await db.one(findAccountByEmail, { email });
      if (!(await isRight(password, account?.password_hash ?? null)) || !account) {
        failures.record(attempt);
        throw unauthorized();
      }
      const token = await createCredential(db, account.id, {
        kind: 'token',
        name: 'logged in',
        expiresAt: Date.now() + tokenSeconds * 1000,
      });
      return { access_token: token.secret, expires_in: tokenSeconds };
    },
    stop: () => hasher.stop(),
  };
}
