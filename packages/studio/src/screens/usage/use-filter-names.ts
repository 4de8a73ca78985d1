import { useQueries } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { shortId } from '../../ui/short-id.ts';
import { say } from '../../words/say.ts';
import { jobTitle } from '../jobs/job-words.ts';

/** What filters were called in their last jobs: integers mean different filters in each catalog. */
export function useFilterNames(filters: readonly string[]): (filter: string) => string {
  const guise = useGuise();
  const found = useQueries({
    queries: filters.map((filter) => ({
      queryKey: ['filter-name', filter],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await guise.jobs.list({ filter, limit: 1 }, signal)).jobs[0] ?? null,
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const jobs = new Map(filters.map((filter, at) => [filter, found[at]?.data]));
  return (filter) => {
    const job = jobs.get(filter);
    return job ? jobTitle(job) : say('Filter {id}', { id: shortId(filter) });
  };
}
