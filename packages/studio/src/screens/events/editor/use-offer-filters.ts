import { useAliases } from '../../aliases/use-aliases.ts';
import type { WallFilter } from '../../try/run-choice.ts';
import { useWallFilters } from '../../try/use-wall-filters.ts';
import type { OfferFields, OfferKind } from './event-fields.ts';

/** A filter or an alias that can be offered. */
export interface OfferedFilter {
  id: string;
  kind: OfferKind;
  name: string;
  preview: string | null;
  /** An alias can be pointed to another filter while booths keep showing it. */
  alias: boolean;
  /** The version that guests get, of own filters. */
  version: number | null;
}

/** Filters of the catalogs, own filters and aliases, and which of them an offer is made with. */
export function useOfferFilters() {
  const wall = useWallFilters();
  const { aliases = [] } = useAliases();
  const filters = wall.filters.map(
    (filter): OfferedFilter => ({ ...filter, kind: kindOf(filter), alias: false }),
  );
  const ofAliases = aliases.flatMap((alias): OfferedFilter[] => {
    const filter = wall.filters.find(({ catalog, id }) => catalog === 'own' && id === alias.ai_filter);
    if (!filter) return [];
    const name = alias.project ? `${filter.name} (${alias.project})` : filter.name;
    return [
      {
        id: alias.id,
        kind: kindOf(filter),
        name,
        preview: filter.preview,
        version: filter.version,
        alias: true,
      },
    ];
  });
  const find = ({ kind, filter }: Pick<OfferFields, 'kind' | 'filter'>): OfferedFilter | undefined =>
    kind === 'video'
      ? undefined
      : ([...filters, ...ofAliases].find((entry) => entry.id === filter && entry.kind === kind) ??
        [...filters, ...ofAliases].find((entry) => entry.id === filter && entry.id.includes('-')));
  return {
    aliases: ofAliases,
    find,
    /** Until they are read, an offer whose filter is not found may still have one. */
    isRead: wall.filters.length > 0,
  };
}

/** How booths submit it. Own filters of several people are made as realistic ones are. */
export function kindOf({ catalog, type }: WallFilter): OfferKind {
  if (catalog === 'stylized') return 'stylized';
  return type === 'face_swap' ? 'single' : 'group';
}
