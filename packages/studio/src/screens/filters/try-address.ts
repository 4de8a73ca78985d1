import type { CatalogName } from '@guise/contract/catalogs.ts';

/** The Try screen with this filter chosen: a catalog's by its number, an own one by its id. */
export function tryAddress({ id, catalog }: { id: string; catalog?: CatalogName }): string {
  return `/?filter=${id}${catalog ? `&catalog=${catalog}` : ''}`;
}
