import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

export interface ScryptCost extends ScryptOptions {
  N: number;
  r: number;
  p: number;
  keyBytes: number;
}

/** A stored password: what was derived from it, and how. */
export interface PasswordHash {
  cost: ScryptCost;
  salt: Buffer;
  key: Buffer;
}

/** What new passwords cost. */
const currentN = 32_768;
/** Above this, a login would take seconds and more than 256 MB. */
const greatestN = 262_144;

function costOf(N: number): ScryptCost {
  return { N, r: 8, p: 1, keyBytes: 32, maxmem: 256 * N * 8 };
}

/** What a key is derived from. */
export interface KeyDerivation {
  password: string;
  salt: Uint8Array;
  cost: ScryptCost;
}

const derive = promisify<string, Uint8Array, number, ScryptOptions, Buffer>(scrypt);
const deriveHere = ({ password, salt, cost }: KeyDerivation) => derive(password, salt, cost.keyBytes, cost);

/** Derives here for the command line. A server derives with `PasswordHasher`. */
export async function hashPassword(
  password: string,
  deriveKey: (task: KeyDerivation) => Promise<Buffer> = deriveHere,
): Promise<string> {
  const { cost, salt } = unknownPassword();
  const key = await deriveKey({ password, salt, cost });
  return `scrypt$${cost.N}$${salt.toString('base64')}$${key.toString('base64')}`;
}

/** Throws where the text is not one that `hashPassword` made. */
export function parsePasswordHash(text: string): PasswordHash {
  const [kind, n, salt = '', key = ''] = text.split('$');
  const N = Number(n);
  const isPowerOfTwo = Number.isInteger(Math.log2(N));
  if (kind !== 'scrypt' || !isPowerOfTwo || N < 2 || N > greatestN) {
    throw new Error('A stored password hash cannot be read.');
  }
  return { cost: costOf(N), salt: Buffer.from(salt, 'base64'), key: Buffer.from(key, 'base64') };
}

/** A hash that no password matches, and that takes as long as any other to compare with. */
export function unknownPassword(): PasswordHash {
  return { cost: costOf(currentN), salt: randomBytes(16), key: Buffer.alloc(0) };
}
