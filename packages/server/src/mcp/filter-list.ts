import type { Guise } from '@guise/client/guise.ts';
import { catalogNames } from '@guise/contract/catalogs.ts';
import { AppError } from '../errors.ts';

/** The families that make pictures with filters. */
type FilterFamily = 'face_swap_v1' | 'multi_swap_v5' | 'stylized_multi_swap_v1';

/** A filter as a model reads it, and how a picture is made with it. */
export interface ListedFilter {
  /** As `make_picture` takes it: `12`, `realistic 3`, `stylized 4`, or a UUID. */
  id: string;
  name: string;
  kind: 'face_swap' | 'realistic' | 'stylized' | 'custom' | 'alias';
  preview_url: string | null;
  family: FilterFamily;
  ref: number | string;
}

const familyOfCatalog = {
  face_swap: 'face_swap_v1',
  realistic: 'multi_swap_v5',
  stylized: 'stylized_multi_swap_v1',
} as const;

/** Every filter, style and alias of the account. */
export async function readFilters(guise: Guise, signal: AbortSignal): Promise<ListedFilter[]> {
  const [catalogs, custom, aliases] = await Promise.all([
    Promise.all(catalogNames.map((name) => guise.catalogs.list(name, signal))),
    guise.customFilters.list(signal),
    guise.aliases.list(signal),
  ]);
  const own = custom.map(({ id, name, filter_type, preview_images }) => ({
    id,
    name,
    kind: 'custom' as const,
    preview_url: preview_images[0] ?? null,
    family: familyOfCatalog[filter_type === 'multi_swap' ? 'realistic' : 'face_swap'],
    ref: id,
  }));
  return [
    ...catalogNames.flatMap((kind, at) =>
      catalogs[at]!.map(({ id, name, preview_url }) => ({
        id: kind === 'face_swap' ? id : `${kind} ${id}`,
        name,
        kind,
        preview_url,
        family: familyOfCatalog[kind],
        ref: Number(id),
      })),
    ),
    ...own,
    ...aliases.flatMap(({ id, project, ai_filter }) => {
      const filter = own.find((candidate) => candidate.id === ai_filter);
      return filter ? [{ ...filter, id, name: project || filter.name, kind: 'alias' as const, ref: id }] : [];
    }),
  ];
}

/** The filter that a text names: by its id, its name, or the first words of one name. */
export async function findFilter(guise: Guise, text: string, signal: AbortSignal): Promise<ListedFilter> {
  const all = await readFilters(guise, signal);
  const wanted = text.trim().toLowerCase();
  const exact = all.find(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  if (exact) return exact;
  const begun = all.filter(({ name }) => name.toLowerCase().startsWith(`${wanted} `));
  if (begun[0] && new Set(begun.map(({ name }) => name)).size === 1) return begun[0];
  throw new AppError('FILTER_NOT_FOUND', 'There is no filter with this id or name. list_filters shows them.');
}
