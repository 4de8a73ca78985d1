import { type CatalogName, catalogNames } from '@guise/contract/catalogs.ts';
import { type FilterRef, Uuid } from '@guise/contract/common.ts';
import { AppError } from '../errors.ts';
import type { Db } from '../store/db.ts';
import { findAlias, findCustomFilter, listCustomFilters } from '../store/filter-records.ts';
import type { CustomFilterRow } from '../store/schema.ts';
import type { Catalog, CatalogFilter } from './catalog.ts';
import { workflowFetchFailed } from './resolve.ts';

/** A filter of any catalog or of the caller under one text, for callers whose requests have no ids. */
export interface TitledFilter {
  /** Of all filters no two have the same: `12 Great hall`, `stylized 3 Oil`, `My look [UUID]`. */
  title: string;
  /** The title without the name. */
  key: string;
  name: string;
  catalog: CatalogName;
  ref: FilterRef;
}

export interface FilterParts {
  db: Db;
  catalog: Catalog;
}

const notFound = () =>
  new AppError('FILTER_NOT_FOUND', 'There is no filter with this name. GET /sdapi/v1/sd-models lists them.');

/** Every filter that the caller can use. */
export async function listTitledFilters(
  { db, catalog }: FilterParts,
  accountId: string,
): Promise<TitledFilter[]> {
  const custom = await db.all(listCustomFilters, { account_id: accountId });
  return [
    ...catalogNames.flatMap((name) => catalog.list(name).map((filter) => titledOf(name, filter))),
    ...custom.map((row) => customTitledOf(row, row.id)),
  ];
}

/**
 * The filter that a text names: by its UUID or an alias's, by its title, by its name, or by its id, which is one of face
 * swap where no catalog stands before it.
 */
export async function findTitledFilter(
  parts: FilterParts,
  accountId: string,
  text: string,
): Promise<TitledFilter> {
  const wanted = text.trim().toLowerCase();
  const uuid = Uuid.safeParse(/\[([^[\]]*)\]$/.exec(wanted)?.[1] ?? wanted);
  if (uuid.success) return findCustom(parts.db, accountId, uuid.data);
  const all = await listTitledFilters(parts, accountId);
  const named = all.find(({ title, name }) => [title, name].some((one) => one.toLowerCase() === wanted));
  if (named) return named;
  const [, catalog = 'face_swap', id] = idPattern.exec(wanted) ?? [];
  const numbered = all.find((filter) => filter.catalog === catalog && String(filter.ref) === id);
  if (!numbered) throw notFound();
  return numbered;
}

const idPattern = new RegExp(`^(?:(${catalogNames.join('|')})\\s+)?(\\d+)(?:\\s.*)?$`);

function titledOf(catalog: CatalogName, { id, name }: CatalogFilter): TitledFilter {
  const key = catalog === 'face_swap' ? String(id) : `${catalog} ${id}`;
  return { title: `${key} ${name}`, key, name, catalog, ref: id };
}

/** `ref` is the filter's own UUID or that of the alias which the caller named. */
export function customTitledOf({ name, filter_type }: CustomFilterRow, ref: string): TitledFilter {
  const catalog = filter_type === 'face_swap' ? 'face_swap' : 'realistic';
  return { title: `${name} [${ref}]`, key: ref, name, catalog, ref };
}

async function findCustom(db: Db, account_id: string, id: string): Promise<TitledFilter> {
  const alias = await db.one(findAlias, { id, account_id });
  const filter = await db.one(findCustomFilter, { id: alias?.ai_filter ?? id, account_id });
  if (!filter) throw workflowFetchFailed();
  return customTitledOf(filter, id);
}
