import type { KeyList } from '@guise/contract/keys.ts';
import type { Transport } from './transport.ts';

/** The caller's keys and tokens. */
export const keysApi = (transport: Transport) => ({
  list: (cursor?: string, signal?: AbortSignal) =>
    transport.request<KeyList>('GET', '/v1/keys', { query: { cursor, limit: 200 }, signal }),
});
