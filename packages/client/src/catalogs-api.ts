import type { CatalogEntry, CatalogName, CustomFilter } from '@guise/contract/catalogs.ts';
import type { PriceList } from '@guise/contract/families/prices.ts';
import type { Transport } from './transport.ts';

const paths: Record<CatalogName, string> = {
  face_swap: '/v6/filters',
  realistic: '/v1/realistic_multiswap_styles/',
  stylized: '/v1/stylized_multiswap_styles/',
};

/** The catalogs that every account has. */
export const catalogsApi = (transport: Transport) => ({
  list: (catalog: CatalogName, signal?: AbortSignal) =>
    transport.request<CatalogEntry[]>('GET', paths[catalog], { signal }),
  custom: (signal?: AbortSignal) =>
    transport.request<CustomFilter[]>('GET', '/v1/users/me/my-custom-filters', { signal }),
  prices: (signal?: AbortSignal) => transport.request<PriceList>('GET', '/v1/prices', { signal }),
});
