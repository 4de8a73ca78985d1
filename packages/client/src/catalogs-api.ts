import type { CatalogEntry, CatalogName, CustomFilter } from '@guise/contract/catalogs.ts';
import type { PriceList } from '@guise/contract/families/prices.ts';
import { aliasesApi } from './aliases-api.ts';
import type { Transport } from './transport.ts';

const paths: Record<CatalogName, string> = {
  face_swap: '/v6/filters',
  realistic: '/v1/realistic_multiswap_styles/',
  stylized: '/v1/stylized_multiswap_styles/',
};

/** The catalogs that every account has, and what it has of its own. */
export const catalogsApi = (transport: Transport) => {
  const list = (catalog: CatalogName, signal?: AbortSignal) =>
    transport.request<CatalogEntry[]>('GET', paths[catalog], { signal });
  const custom = (signal?: AbortSignal) =>
    transport.request<CustomFilter[]>('GET', '/v1/users/me/my-custom-filters', { signal });
  return {
    list,
    custom,
    /** Everything that the account can make pictures with. */
    async all(signal?: AbortSignal) {
      const [face_swap, realistic, stylized, customFilters, aliases] = await Promise.all([
        list('face_swap', signal),
        list('realistic', signal),
        list('stylized', signal),
        custom(signal),
        aliasesApi(transport).list(signal),
      ]);
      return { catalogs: { face_swap, realistic, stylized }, customFilters, aliases };
    },
    prices: (signal?: AbortSignal) => transport.request<PriceList>('GET', '/v1/prices', { signal }),
  };
};
