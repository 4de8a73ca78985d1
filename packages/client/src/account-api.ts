import type { Credits, Me, Token } from '@guise/contract/account.ts';
import { readEntries } from './pages.ts';
import type { Transport } from './transport.ts';

/** Who the caller is, and the balance. */
export function accountApi(transport: Transport) {
  const credits = (cursor?: string, signal?: AbortSignal) =>
    transport.request<Credits>('GET', '/v1/users/me/credits', { query: { cursor, limit: 100 }, signal });
  return {
    me: (signal?: AbortSignal) => transport.request<Me>('GET', '/v1/users/me', { signal }),
    /** The balance, and a page of the ledger. */
    credits,
    /** Every ledger entry, newest first. */
    ledger: (signal?: AbortSignal) =>
      readEntries(
        (cursor) => credits(cursor, signal),
        ({ entries }) => entries,
      ),
    /** An access token for an email and a password. */
    logIn: (email: string, password: string, signal?: AbortSignal) =>
      transport.request<Token>('POST', '/token', {
        body: new URLSearchParams({ username: email, password }),
        signal,
      }),
  };
}
