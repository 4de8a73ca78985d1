import type { GuiseApi } from '@guise/client/guise-api.ts';
import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { queryOptions } from '@tanstack/react-query';
import { type EditedFilter, editedFilterOf } from '../definition/edited-filter.ts';
import { templateOfDataUri } from '../definition/template-photo.ts';

/** A filter as the server has it, and as it is edited. */
export interface SavedFilter {
  detail: CustomFilterDetail;
  etag: string | undefined;
  edited: EditedFilter;
}

export const savedFilterQuery = (guise: GuiseApi, id: string) =>
  queryOptions({
    queryKey: ['filters', 'one', id],
    queryFn: ({ signal }) => readSavedFilter(guise, id, signal),
  });

async function readSavedFilter(guise: GuiseApi, id: string, signal: AbortSignal): Promise<SavedFilter> {
  const { value: detail, etag } = await guise.customFilters.get(id, signal);
  if (detail.definition.kind !== 'template')
    return { detail, etag, edited: editedFilterOf(detail, undefined) };
  // The export holds the photo itself, which a test of the changed filter needs.
  const { definition } = await guise.customFilters.export(id, signal);
  const template = definition.kind === 'template' ? await templateOfDataUri(definition.image) : undefined;
  return { detail, etag, edited: editedFilterOf(detail, template) };
}
