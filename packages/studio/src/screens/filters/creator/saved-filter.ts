import type { GuiseApi } from '@guise/client/guise-api.ts';
import type { CheckedVersion, CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { queryOptions } from '@tanstack/react-query';
import { type EditedFilter, editedFilterOf } from '../definition/edited-filter.ts';
import { templateOfDataUri } from '../definition/template-photo.ts';

/** A filter as the server has it, and as it is edited: from its open draft, or from the live version. */
export interface SavedFilter {
  detail: CustomFilterDetail;
  etag: string | undefined;
  draft: CheckedVersion | undefined;
  edited: EditedFilter;
}

/** The version that is worked on. */
export const workedOn = ({ detail, draft }: Pick<SavedFilter, 'detail' | 'draft'>): number =>
  draft?.version ?? detail.version;

export const savedFilterQuery = (guise: GuiseApi, id: string) =>
  queryOptions({
    queryKey: ['filters', 'one', id],
    queryFn: ({ signal }) => readSavedFilter(guise, id, signal),
  });

async function readSavedFilter(guise: GuiseApi, id: string, signal: AbortSignal): Promise<SavedFilter> {
  const { value: detail, etag } = await guise.customFilters.get(id, signal);
  const draft = detail.draft
    ? await guise.customFilters.version(id, detail.draft.version, signal)
    : undefined;
  const { name, definition } = draft ?? detail;
  const shown = { name, definition, filter_type: detail.filter_type };
  if (definition.kind !== 'template')
    return { detail, etag, draft, edited: editedFilterOf(shown, undefined) };
  // The export holds the photo itself, which a test of the changed filter needs.
  const exported = await guise.customFilters.export(id, signal, draft?.version);
  const template =
    exported.definition.kind === 'template' ? await templateOfDataUri(exported.definition.image) : undefined;
  return { detail, etag, draft, edited: editedFilterOf(shown, template) };
}
