import type { Guise } from '@guise/client/guise.ts';
import { queryOptions } from '@tanstack/react-query';

/** The list of runs, and each run by its id. */
export const qaRunsKey = ['qa-runs'] as const;

export const qaRunQuery = (guise: Guise, id: string) =>
  queryOptions({
    queryKey: [...qaRunsKey, 'one', id],
    queryFn: ({ signal }) => guise.qaRuns.get(id, signal),
  });
