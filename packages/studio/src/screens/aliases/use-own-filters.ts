import type { CustomFilter } from '@guise/contract/catalogs.ts';
import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';

/** The account's own filters: an alias points to one of them. */
export function useOwnFilters() {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({
    queryKey: ['filters', 'list'],
    queryFn: ({ signal }) => guise.customFilters.list(signal),
  });
  return {
    /** Undefined while it is read. */
    filters: data,
    error,
    retry: () => void refetch(),
    find: (id: string | null): CustomFilter | undefined => data?.find((filter) => filter.id === id),
  };
}
