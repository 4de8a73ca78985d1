import type { CatalogName } from '@guise/contract/catalogs.ts';
import { useQueries } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import type { WallFilter } from './run-choice.ts';

const catalogs: CatalogName[] = ['face_swap', 'realistic', 'stylized'];

/** The filters of the catalogs and the account's own, as one list. */
export function useWallFilters(): { filters: WallFilter[]; error: Error | null; retry(): void } {
  const guise = useGuise();
  const results = useQueries({
    queries: [
      {
        queryKey: ['filters', 'own'],
        queryFn: async (): Promise<WallFilter[]> =>
          (await guise.customFilters.listVersioned()).map((filter) => ({
            id: filter.id,
            catalog: 'own',
            type: filter.filter_type,
            name: filter.name,
            preview: filter.preview_images[0] ?? null,
            version: filter.version,
          })),
      },
      ...catalogs.map((catalog) => ({
        queryKey: ['filters', catalog],
        staleTime: 10 * 60_000,
        queryFn: async (): Promise<WallFilter[]> =>
          (await guise.catalogs.list(catalog)).map((entry) => ({
            id: entry.id,
            catalog,
            type: entry.filter_type,
            name: entry.name,
            preview: entry.preview_url,
            version: null,
          })),
      })),
    ],
  });
  const failed = results.find(({ error }) => error);
  return {
    filters: results.flatMap(({ data }) => data ?? []),
    error: failed?.error ?? null,
    retry: () => void failed?.refetch(),
  };
}
