import type { GuiseApi } from '@guise/client/guise-api.ts';
import { queryOptions } from '@tanstack/react-query';

/** The list of runs, and each run by its id. */
export const qaRunsKey = ['qa-runs'] as const;

export const qaRunQuery = (guise: GuiseApi, id: string) =>
  queryOptions({
    queryKey: [...qaRunsKey, 'one', id],
    queryFn: ({ signal }) => guise.qaRuns.get(id, signal),
  });
