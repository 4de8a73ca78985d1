import { hash, randomInt } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const body = /^[0-9A-Za-z]{36,80}$/;

/** How each kind of secret begins. */
const prefixes = { key: 'gk_', token: 'gt_', session: 'gs_', link: 'gl_' } as const;
export type SecretKind = keyof typeof prefixes;

/** A secret that is shown once: only its hash is stored. 32 characters are random, 6 check them. */
export function makeSecret(kind: SecretKind): string {
  const random = Array.from({ length: 32 }, () => alphabet[randomInt(alphabet.length)]).join('');
  const start = prefixes[kind] + random;
  return start + checksum(start);
}

/** What kind of secret a text is; undefined for one that fails its checksum, which never reaches the database. */
export function kindOfSecret(text: string): SecretKind | undefined {
  const kind = (Object.keys(prefixes) as SecretKind[]).find((name) => text.startsWith(prefixes[name]));
  if (!kind || !body.test(text.slice(prefixes[kind].length))) return undefined;
  return checksum(text.slice(0, -6)) === text.slice(-6) ? kind : undefined;
}

export const hashSecret = (secret: string): string => hash('sha256', secret);

/** Six base62 characters of the text's SHA-256. */
function checksum(text: string): string {
  let number = hash('sha256', `guise:${text}`, 'buffer').readUIntBE(0, 6);
  let out = '';
  for (let i = 0; i < 6; i++) {
    out += alphabet[number % 62];
    number = Math.floor(number / 62);
  }
  return out;
}
