import type { VersionedFilter } from '@guise/contract/filter-details.ts';
import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';

/** The account's own filters: an alias points to one of them. */
export function useOwnFilters() {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({
    queryKey: ['filters', 'list'],
    queryFn: ({ signal }) => guise.customFilters.listVersioned(signal),
  });
  return {
    /** Undefined while it is read. */
    filters: data,
    error,
    retry: () => void refetch(),
    find: (id: string | null): VersionedFilter | undefined => data?.find((filter) => filter.id === id),
  };
}
