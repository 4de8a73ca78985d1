import type { CatalogEntry, CatalogName } from '@guise/contract/catalogs.ts';
import type { Transport } from './transport.ts';

const paths: Record<CatalogName, string> = {
  face_swap: '/v6/filters',
  realistic: '/v1/realistic_multiswap_styles/',
  stylized: '/v1/stylized_multiswap_styles/',
};

/** The catalogs that every account has. */
export const catalogsApi = (transport: Transport) => ({
  list: (catalog: CatalogName) => transport.request<CatalogEntry[]>('GET', paths[catalog]),
});
