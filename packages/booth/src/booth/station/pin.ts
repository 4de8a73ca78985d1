/** The PIN is kept as a slow hash: whoever reads the browser's storage should not learn what the operator types elsewhere. */
const rounds = 200_000;

export const isPin = (text: string): boolean => /^\d{4,8}$/.test(text);

export async function hashPin(
  pin: string,
  salt = crypto.getRandomValues(new Uint8Array(16)),
): Promise<string> {
  const secret = new TextEncoder().encode(pin);
  const key = await crypto.subtle.importKey('raw', secret, 'PBKDF2', false, ['deriveBits']);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds };
  const bits = await crypto.subtle.deriveBits(algorithm, key, 256);
  return `${hex(salt)} ${hex(new Uint8Array(bits))}`;
}

export async function isPinOf(pin: string, hash: string): Promise<boolean> {
  const salt = Uint8Array.from(hash.split(' ')[0]!.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  return (await hashPin(pin, salt)) === hash;
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
