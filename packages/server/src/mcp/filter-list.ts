import type { Guise } from '@guise/client/guise.ts';
import { type NamedFilter, nameFilters, searchFilters } from '@guise/contract/other-clients/named-filters.ts';
import { AppError } from '../errors.ts';

/** A filter as a model reads it. */
export interface ListedFilter extends Pick<NamedFilter, 'name' | 'kind'> {
  /** As `make_picture` takes it: `12`, `realistic 3`, `stylized 4`, or a UUID. */
  id: string;
  preview_url: string | null;
}

/** Every filter, style and alias of the account. */
export async function readFilters(guise: Guise, signal: AbortSignal): Promise<ListedFilter[]> {
  const lists = await guise.catalogs.all(signal);
  return nameFilters(lists).map(({ key, name, kind, ref }) => ({
    id: key,
    name,
    kind,
    preview_url: previewOf(lists, kind, ref),
  }));
}

function previewOf(
  { catalogs, customFilters, aliases }: Awaited<ReturnType<Guise['catalogs']['all']>>,
  kind: NamedFilter['kind'],
  ref: NamedFilter['ref'],
): string | null {
  if (kind !== 'custom' && kind !== 'alias')
    return catalogs[kind].find(({ id }) => Number(id) === ref)?.preview_url ?? null;
  const filterId = kind === 'custom' ? ref : aliases.find(({ id }) => id === ref)?.ai_filter;
  return customFilters.find(({ id }) => id === filterId)?.preview_images[0] ?? null;
}

/** The filter that a text names. */
export async function findFilter(guise: Guise, text: string, signal: AbortSignal): Promise<NamedFilter> {
  const found = searchFilters(nameFilters(await guise.catalogs.all(signal)), text);
  if ('filter' in found) return found.filter;
  throw new AppError('FILTER_NOT_FOUND', `${found.problem} list_filters shows all.`);
}
