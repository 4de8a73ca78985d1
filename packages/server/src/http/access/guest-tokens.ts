import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Tokens of the pages of guests: the guest's id with a signature. Nothing of them is stored, so that a booth whose
 * request is repeated gets the same one again.
 */
export interface GuestTokens {
  create(guestId: string): string;
  /** The guest's id; undefined for what was not signed here. */
  read(token: string): string | undefined;
}

const idBytes = 16;
const tokenShape = /^[\w-]{43}$/;

export function createGuestTokens(secret: string): GuestTokens {
  const sign = (id: Buffer) =>
    createHmac('sha256', secret).update('event guest\n').update(id).digest().subarray(0, 16);
  return {
    create(guestId) {
      const id = Buffer.from(guestId.replaceAll('-', ''), 'hex');
      return Buffer.concat([id, sign(id)]).toString('base64url');
    },
    read(token) {
      if (!tokenShape.test(token)) return undefined;
      const bytes = Buffer.from(token, 'base64url');
      // The last character has unused bits: only one spelling of a token is valid.
      if (bytes.toString('base64url') !== token) return undefined;
      const id = bytes.subarray(0, idBytes);
      if (!timingSafeEqual(bytes.subarray(idBytes), sign(id))) return undefined;
      return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
  };
}
