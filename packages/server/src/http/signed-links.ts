import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '../errors.ts';

export const fileNotFound = () => new AppError('FILE_NOT_FOUND', 'This file does not exist or was deleted.');
export const linkNotValid = () => new AppError('LINK_NOT_VALID', 'This link has expired or is not valid.');

/** Links to files that need no credentials, signed over path, owner, expiry and audience. */
export interface SignedLinks {
  /** `audience` is whoever may use the link only as long as something else allows it; whoever serves the file asks. */
  create(baseUrl: string, key: string, owner: string, expiresAt: number, audience?: string): string;
  /**
   * Throws unless the query of a link to this key is one that was signed here and has not expired. Its audience is null for
   * whoever has the link.
   */
  verify(key: string, query: Record<string, unknown>): { owner: string; audience: string | null };
}

export function signedLinks(secret: string): SignedLinks {
  const sign = (...signed: string[]) =>
    createHmac('sha256', secret).update(signed.join('\n')).digest('base64url');
  return {
    create(baseUrl, key, owner, expiresAt, audience) {
      const expires = String(Math.floor(expiresAt / 1000));
      const query = new URLSearchParams(
        audience === undefined
          ? { expires, owner, signature: sign(key, owner, expires) }
          : { expires, owner, for: audience, signature: sign(key, owner, expires, audience) },
      );
      return `${baseUrl}/files/${key}?${query}`;
    },
    verify(key, query) {
      const { expires, owner, signature, for: audience = null } = query;
      if (typeof expires !== 'string' || typeof owner !== 'string' || typeof signature !== 'string')
        throw linkNotValid();
      // Digits alone, so that no expiry can hold the audience of another link.
      if (!/^\d{1,15}$/.test(expires) || (audience !== null && typeof audience !== 'string'))
        throw linkNotValid();
      const expected = Buffer.from(sign(key, owner, expires, ...(audience === null ? [] : [audience])));
      const given = Buffer.from(signature);
      const matches = expected.length === given.length && timingSafeEqual(expected, given);
      if (!matches || Number(expires) * 1000 <= Date.now()) throw linkNotValid();
      return { owner, audience };
    },
  };
}
