import type { Credits, Me } from '@guise/contract/account.ts';
import type { Transport } from './transport.ts';

/** Who the caller is, and the balance. */
export const accountApi = (transport: Transport) => ({
  me: () => transport.request<Me>('GET', '/v1/users/me'),
  credits: (cursor?: string) =>
    transport.request<Credits>('GET', '/v1/users/me/credits', { query: { cursor, limit: 100 } }),
});
