import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { findAccountByEmail } from '../store/account-records.ts';
import type { Db } from '../store/db.ts';
import { createCredential } from './keys.ts';
import { unauthorized } from './unauthorized.ts';

const cost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } satisfies ScryptOptions;

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt);
  return `scrypt$${cost.N}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

const tokenSeconds = 24 * 3600;

/** An unknown email takes as long as a wrong password, so that the time does not reveal which it was. */
export async function logIn(
  db: Db,
  email: string,
  password: string,
): Promise<{ access_token: string; expires_in: number }> {
  const account = await db.one(findAccountByEmail, { email: email.trim().toLowerCase() });
  const matches = await checkPassword(password, account?.password_hash ?? null);
  if (!account || !matches) throw unauthorized();
  const token = await createCredential(db, account.id, {
    kind: 'token',
    name: 'logged in',
    expiresAt: Date.now() + tokenSeconds * 1000,
  });
  return { access_token: token.secret, expires_in: tokenSeconds };
}

async function checkPassword(password: string, stored: string | null): Promise<boolean> {
  const [, , salt = '', hash = ''] = stored?.split('$') ?? [];
  const wanted = Buffer.from(hash, 'base64');
  const given = await derive(password, Buffer.from(salt, 'base64'));
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

function derive(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, cost, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
