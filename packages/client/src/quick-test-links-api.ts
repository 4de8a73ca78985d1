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
  list: (cursor?: string) =>
    transport.request<QuickTestLinkList>('GET', path, { query: { cursor, limit: 100 } }),
  /** The answer holds the address, once. */
  create: (body: NewQuickTestLink) => transport.request<CreatedQuickTestLink>('POST', path, { body }),
  change: (id: string, body: QuickTestLinkChange) =>
    transport.request<QuickTestLink>('PATCH', `${path}/${id}`, { body }),
  revoke: (id: string) => transport.request<void>('DELETE', `${path}/${id}`),
});
