import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../errors.ts';

const linkNotValid = () => new AppError('LINK_NOT_VALID', 'This link has expired or is not valid.');

/** Links to files that need no credentials, signed over path, owner and expiry. */
export interface SignedLinks {
  create(baseUrl: string, key: string, owner: string, expiresAt: number): string;
  /** Throws unless the query of a link to this key is one that was signed here and has not expired. */
  verify(key: string, query: Record<string, unknown>): void;
}

export function signedLinks(secret: string): SignedLinks {
  const sign = (key: string, owner: string, expires: string) =>
    createHmac('sha256', secret).update(`${key}\n${owner}\n${expires}`).digest('base64url');
  return {
    create(baseUrl, key, owner, expiresAt) {
      const expires = String(Math.floor(expiresAt / 1000));
      const query = new URLSearchParams({ expires, owner, signature: sign(key, owner, expires) });
      return `${baseUrl}/files/${key}?${query}`;
    },
    verify(key, query) {
      const { expires, owner, signature } = query;
      if (typeof expires !== 'string' || typeof owner !== 'string' || typeof signature !== 'string')
        throw linkNotValid();
      const expected = Buffer.from(sign(key, owner, expires));
      const given = Buffer.from(signature);
      const matches = expected.length === given.length && timingSafeEqual(expected, given);
      if (!matches || Number(expires) * 1000 <= Date.now()) throw linkNotValid();
    },
  };
}
