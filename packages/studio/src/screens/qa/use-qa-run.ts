import type { JobListEntry } from '@guise/contract/jobs.ts';
import type { QaCell, QaRun } from '@guise/contract/qa-runs.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { useJobChange } from '../../app/changes.tsx';
import { useGuise } from '../../app/guise-context.ts';
import { qaRunDeletionKey, qaRunQuery } from './qa-run-query.ts';

/** Several jobs that end together are read once. */
const readAgainMs = 400;

/** A run whose cells fill in as their jobs go on. */
export function useQaRun(id: string) {
  const guise = useGuise();
  const queries = useQueryClient();
  // Jobs may have ended while the page was not open: it is read even if it was a moment ago.
  const { data, error, refetch } = useQuery({ ...qaRunQuery(guise, id), refetchOnMount: 'always' });

  const changeCell = useCallback(
    (cellId: string, change: Partial<QaCell>) =>
      queries.setQueryData<QaRun>(
        qaRunQuery(guise, id).queryKey,
        (run) =>
          run && {
            ...run,
            cells: run.cells.map((cell) => (cell.id === cellId ? { ...cell, ...change } : cell)),
          },
      ),
    [queries, guise, id],
  );

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useJobChange((job) => {
    const cell = data?.cells.find(({ job_id }) => job_id === job.id);
    if (!cell) return;
    changeCell(cell.id, changeOf(job));
    if (!hasEnded(job)) return;
    // The links to the picture are in the run alone.
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (queries.isMutating({ mutationKey: qaRunDeletionKey(id) }) === 0) void refetch();
    }, readAgainMs);
  });
  return { run: data, error, refetch, changeCell };
}

const hasEnded = ({ status }: JobListEntry) => status === 'COMPLETED' || status === 'FAILED';

function changeOf(job: JobListEntry): Partial<QaCell> {
  const { status, progress, thumbnail_url, error } = job;
  if (status === 'COMPLETED') return { status, progress: 1, thumbnail_url };
  if (status === 'FAILED') return { status, error };
  return { status: progress > 0 ? 'RUNNING' : 'QUEUED', progress };
}
