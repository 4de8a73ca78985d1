import type { Usage, UsageQuery } from '@guise/contract/usage.ts';
import type { Transport } from './transport.ts';

type Asked = Partial<Omit<UsageQuery, 'format'>>;

/** What the caller's jobs came to. */
export const usageApi = (transport: Transport) => ({
  read: (query: Asked, signal?: AbortSignal) =>
    transport.request<Usage>('GET', '/v1/usage', { query, signal }),
  /** The same as a file for a spreadsheet. */
  csv: async (query: Asked, signal?: AbortSignal): Promise<Blob> =>
    (await transport.open('/v1/usage', { query: { ...query, format: 'csv' }, signal })).blob(),
});
