import { useAliases } from '../../../aliases/use-aliases.ts';
import type { WallFilter } from '../../../try/run-choice.ts';
import { useWallFilters } from '../../../try/use-wall-filters.ts';
import type { OfferFields, OfferKind } from '../event-fields.ts';

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
  const find = (offer: Pick<OfferFields, 'kind' | 'filter' | 'catalog'>): OfferedFilter | undefined => {
    if (offer.kind === 'video' || offer.kind === 'prompt') return undefined;
    const all = [...filters, ...ofAliases].filter(({ id }) => id === offer.filter);
    const isOfKind = (entry: OfferedFilter) =>
      offer.kind === 'living_portrait'
        ? catalogOfKind(entry.kind) === offer.catalog
        : entry.kind === offer.kind;
    return all.find(isOfKind) ?? all.find(({ id }) => id.includes('-'));
  };
  return {
    aliases: ofAliases,
    all: [...filters, ...ofAliases],
    find,
    /** Until they are read, an offer whose filter is not found may still have one. */
    isRead: wall.filters.length > 0,
  };
}

/** The catalog that integers of filters of this kind are of. */
export function catalogOfKind(kind: OfferKind): OfferFields['catalog'] {
  if (kind === 'stylized') return 'stylized';
  return kind === 'group' ? 'realistic' : 'face_swap';
}

/** How booths submit it. Own filters of several people are made as realistic ones are. */
export function kindOf({ catalog, type }: WallFilter): OfferKind {
  if (catalog === 'stylized') return 'stylized';
  return type === 'face_swap' ? 'single' : 'group';
}
