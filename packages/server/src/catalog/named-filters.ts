import { AppError } from '../errors.ts';
import { findCustomFilter, listAliases } from '../store/filter-records.ts';
import {
  customTitledOf,
  type FilterParts,
  findTitledFilter,
  listTitledFilters,
  type TitledFilter,
} from './titled-filters.ts';

/** Whose filters are searched, and what a caller who finds none is told to read. */
interface Search {
  accountId: string;
  listedAt: string;
}

/**
 * The filter that a text names, as `findTitledFilter` does; else by the project of an alias; else by the first words of
 * one filter's name, if no filter of another name begins so.
 */
export async function findNamedFilter(
  parts: FilterParts,
  text: string,
  { accountId, listedAt }: Search,
): Promise<TitledFilter> {
  const titled = await findTitledFilter(parts, accountId, text).catch((error) => {
    if (error instanceof AppError && error.code === 'FILTER_NOT_FOUND') return undefined;
    throw error;
  });
  const found =
    titled ?? (await findByProject(parts, accountId, text)) ?? (await findByStart(parts, accountId, text));
  if (Array.isArray(found)) {
    const names = found.join(', ');
    throw new AppError('FILTER_NOT_FOUND', `Several filters begin with this: ${names}. Name one of them.`);
  }
  if (found) return found;
  throw new AppError('FILTER_NOT_FOUND', `There is no filter with this name. GET ${listedAt} lists them.`);
}

/** The titles of everything that `findNamedFilter` finds, aliases among them. */
export async function listFilterTitles(parts: FilterParts, accountId: string): Promise<string[]> {
  const filters = await listTitledFilters(parts, accountId);
  const aliases = await parts.db.all(listAliases, { account_id: accountId });
  return [
    ...filters.map(({ title }) => title),
    ...aliases.map(({ id, project, filter_name }) => `${project || filter_name || 'Alias'} [${id}]`),
  ];
}

async function findByProject(
  { db }: FilterParts,
  account_id: string,
  text: string,
): Promise<TitledFilter | undefined> {
  const wanted = text.trim().toLowerCase();
  const aliases = await db.all(listAliases, { account_id });
  const alias = aliases.find(({ project }) => wanted !== '' && project?.trim().toLowerCase() === wanted);
  const filter = alias && (await db.one(findCustomFilter, { id: alias.ai_filter, account_id }));
  return filter && customTitledOf(filter, alias.id);
}

/** The names, where several begin so. */
async function findByStart(
  parts: FilterParts,
  accountId: string,
  text: string,
): Promise<TitledFilter | string[] | undefined> {
  const start = text.trim().toLowerCase();
  if (start === '') return undefined;
  const all = await listTitledFilters(parts, accountId);
  const found = all.filter(({ name }) => name.toLowerCase().startsWith(`${start} `));
  const names = new Map(found.map(({ name }) => [name.toLowerCase(), name]));
  return names.size > 1 ? [...names.values()] : found[0];
}
