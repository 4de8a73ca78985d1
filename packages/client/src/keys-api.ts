import type { CreatedKey, Key, KeyChange, KeyList, NewKey } from '@guise/contract/keys.ts';
import type { Transport } from './transport.ts';

/** The account's keys and tokens. */
export const keysApi = (transport: Transport) => ({
  list: (cursor?: string) => transport.request<KeyList>('GET', '/v1/keys', { query: { cursor, limit: 200 } }),
  /** The secret is in this answer only. */
  create: (body: NewKey) => transport.request<CreatedKey>('POST', '/v1/keys', { body }),
  change: (id: string, body: KeyChange) => transport.request<Key>('PATCH', `/v1/keys/${id}`, { body }),
  revoke: (id: string) => transport.request<void>('DELETE', `/v1/keys/${id}`),
});
