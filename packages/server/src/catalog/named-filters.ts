import { type CatalogName, catalogNames } from '@guise/contract/catalogs.ts';
import {
  type NamedFilter,
  nameFilters,
  searchFilters,
  uuidOf,
} from '@guise/contract/other-clients/named-filters.ts';
import { AppError } from '../errors.ts';
import type { Db } from '../store/db.ts';
import { listAliases, listCustomFilters } from '../store/filter-records.ts';
import type { Catalog, CatalogFilter } from './catalog.ts';
import { workflowFetchFailed } from './resolve.ts';

interface FilterParts {
  db: Db;
  catalog: Catalog;
}

/** Every filter and alias that the caller can make pictures with. */
export async function listNamedFilters(
  { db, catalog }: FilterParts,
  account_id: string,
): Promise<NamedFilter[]> {
  const [customFilters, aliases] = await Promise.all([
    db.all(listCustomFilters, { account_id }),
    db.all(listAliases, { account_id }),
  ]);
  const catalogs = Object.fromEntries(catalogNames.map((name) => [name, catalog.list(name)])) as Record<
    CatalogName,
    CatalogFilter[]
  >;
  return nameFilters({ catalogs, customFilters, aliases });
}

/** Whose filters are searched, and what a caller who finds none is told to read. */
interface Search {
  accountId: string;
  listedAt: string;
}

/** The filter that a text names. Throws where there is none, or more than one. */
export async function findNamedFilter(
  parts: FilterParts,
  text: string,
  { accountId, listedAt }: Search,
): Promise<NamedFilter> {
  const found = searchFilters(await listNamedFilters(parts, accountId), text);
  if ('filter' in found) return found.filter;
  if (uuidOf(text) !== undefined) throw workflowFetchFailed();
  throw new AppError('FILTER_NOT_FOUND', `${found.problem} GET ${listedAt} lists all filters.`);
}
