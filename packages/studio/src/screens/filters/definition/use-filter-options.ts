import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';

/** What filters can be made of on this server. */
export function useFilterOptions() {
  const guise = useGuise();
  return useQuery({
    queryKey: ['filter_options'],
    queryFn: ({ signal }) => guise.filterDrafts.options(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
