import type {
  CreatedQuickTestLink,
  NewQuickTestLink,
  QuickTestLink,
  QuickTestLinkChange,
  QuickTestLinkList,
} from '@guise/contract/quick-tests.ts';
import type { Transport } from './transport.ts';

const path = '/v1/quick_test_links';

/** Links with which a client tries one filter, without an account. */
export const quickTestLinksApi = (transport: Transport) => ({
  list: (cursor?: string, signal?: AbortSignal) =>
    transport.request<QuickTestLinkList>('GET', path, { query: { cursor, limit: 100 }, signal }),
  get: (id: string, signal?: AbortSignal) =>
    transport.request<QuickTestLink>('GET', `${path}/${id}`, { signal }),
  /** The answer holds the address, once. */
  create: (body: NewQuickTestLink, signal?: AbortSignal) =>
    transport.request<CreatedQuickTestLink>('POST', path, { body, signal }),
  change: (id: string, body: QuickTestLinkChange, signal?: AbortSignal) =>
    transport.request<QuickTestLink>('PATCH', `${path}/${id}`, { body, signal }),
  revoke: (id: string, signal?: AbortSignal) =>
    transport.request<void>('DELETE', `${path}/${id}`, { signal }),
});
