import type { GuiseApi } from '@guise/client/guise-api.ts';
import { queryOptions } from '@tanstack/react-query';

/** The list of runs, and each run by its id. */
export const qaRunsKey = ['qa-runs'] as const;

export const qaRunQuery = (guise: GuiseApi, id: string) =>
  queryOptions({
    queryKey: [...qaRunsKey, 'one', id],
    queryFn: ({ signal }) => guise.qaRuns.get(id, signal),
  });

/** The deletion of a run: while it is under way the run is not read again, it may be gone. */
export const qaRunDeletionKey = (id: string) => [...qaRunsKey, 'delete', id] as const;
