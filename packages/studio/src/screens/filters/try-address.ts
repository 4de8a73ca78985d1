import type { CatalogName, FilterType } from '@guise/contract/catalogs.ts';

/** The Try screen with this filter chosen: a catalog's by its number, an own one by its id. */
export function tryAddress(filter: { id: string; catalog: CatalogName } | { id: string; type: FilterType }) {
  const where = 'catalog' in filter ? `catalog=${filter.catalog}` : `type=${filter.type}`;
  return `/?filter=${encodeURIComponent(filter.id)}&${where}`;
}
