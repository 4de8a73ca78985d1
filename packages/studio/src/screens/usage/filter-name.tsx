import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { jobTitle, shortRef } from '../jobs/job-words.ts';

/** What a filter was called in its last job: integers mean different filters in each catalog. */
export function FilterName({ filter }: { filter: string }) {
  const guise = useGuise();
  const { data } = useQuery({
    queryKey: ['filter-name', filter],
    queryFn: async ({ signal }) => (await guise.jobs.list({ filter, limit: 1 }, signal)).jobs[0] ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data ? jobTitle(data) : `Filter ${shortRef(filter)}`;
}
