import { type CatalogName, type FilterType, filterTypeOf, type Mode } from '@guise/contract/catalogs.ts';
import type { FilterRef } from '@guise/contract/common.ts';
import { type FilterDefinition, WorkflowDefinition } from '@guise/contract/filters.ts';
import { AppError } from '../errors.ts';
import type { Db } from '../store/db.ts';
import { findAlias, findCustomFilter } from '../store/filter-records.ts';
import type { Catalog } from './catalog.ts';
import { definitionOf } from './definitions.ts';

export const filterNotFound = () => new AppError('FILTER_NOT_FOUND', 'There is no filter with this id.');
export const filterBlocked = (mode: Mode) =>
  new AppError(
    'FILTER_BLOCKED',
    `This filter is not available for ${mode === 'group' ? 'groups' : 'single persons'}.`,
  );
export const workflowFetchFailed = () =>
  new AppError('WORKFLOW_FETCH_FAILED', 'The filter with this UUID could not be loaded.');
export const filterTypeMismatch = (wanted: FilterType) =>
  new AppError(
    'FILTER_TYPE_MISMATCH',
    `This filter cannot be used for ${wanted === 'face_swap' ? 'face swap' : 'multi swap'}.`,
  );

export interface ResolvedFilter {
  ref: string;
  name: string;
  definition: FilterDefinition;
  /** The custom filter that this is, and the alias that the caller named, to be marked as used. */
  customId: string | null;
  aliasId: string | null;
}

/** The definition of the filter that a caller named, after checking its type and the mode. */
export async function resolveFilter(
  parts: { db: Db; catalog: Catalog },
  accountId: string,
  catalogName: CatalogName,
  ref: FilterRef,
  mode: Mode,
): Promise<ResolvedFilter> {
  if (typeof ref === 'number') {
    const filter = parts.catalog.find(catalogName, ref);
    if (!filter) throw filterNotFound();
    if (!filter.modes.includes(mode)) throw filterBlocked(mode);
    return {
      ref: String(ref),
      name: filter.name,
      definition: filter.definition,
      customId: null,
      aliasId: null,
    };
  }
  const wanted = filterTypeOf(catalogName);
  if (wanted === 'face_swap' && mode === 'group') throw filterBlocked(mode);
  let filter = await parts.db.one(findCustomFilter, { id: ref, account_id: accountId });
  let aliasId: string | null = null;
  if (!filter) {
    const alias = await parts.db.one(findAlias, { id: ref, account_id: accountId });
    filter = alias && (await parts.db.one(findCustomFilter, { id: alias.ai_filter, account_id: accountId }));
    aliasId = alias?.id ?? null;
  }
  if (!filter) throw workflowFetchFailed();
  if (filter.filter_type !== wanted) throw filterTypeMismatch(wanted);
  const definition = definitionOf(filter);
  // The workflow may have been stored before workflows were checked, or changed by hand.
  if (definition.kind === 'workflow' && !WorkflowDefinition.safeParse(definition).success)
    throw workflowFetchFailed();
  return { ref, name: filter.name, definition, customId: filter.id, aliasId };
}
