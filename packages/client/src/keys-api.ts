import type { CreatedKey, Key, KeyChange, KeyList, NewKey } from '@guise/contract/keys.ts';
import type { Transport } from './transport.ts';

/** The account's keys and tokens. */
export const keysApi = (transport: Transport) => ({
  list: (cursor?: string, signal?: AbortSignal) =>
    transport.request<KeyList>('GET', '/v1/keys', { query: { cursor, limit: 200 }, signal }),
  /** The secret is in this answer only. */
  create: (body: NewKey, signal?: AbortSignal) =>
    transport.request<CreatedKey>('POST', '/v1/keys', { body, signal }),
  change: (id: string, body: KeyChange, signal?: AbortSignal) =>
    transport.request<Key>('PATCH', `/v1/keys/${id}`, { body, signal }),
  revoke: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `/v1/keys/${id}`, { signal }),
});
