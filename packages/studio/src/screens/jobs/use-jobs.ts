import type { JobListEntry } from '@guise/contract/jobs.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useJobChange } from '../../app/changes.tsx';
import { useGuise } from '../../app/guise-context.ts';
import { fits, insertJobs, isInReach, type JobPages, removeJobs, replaceJobs } from './job-pages.ts';
import { hasEnded } from './job-words.ts';
import { type JobFilters, jobQueryOf } from './jobs-search.ts';

const pageSize = 200;
/** Changes come by the hundred when a booth is busy: they are shown together. */
const gatherMs = 200;

/**
 * The jobs that fit, newest first, read page by page and kept as they are now. While `isHeld`, what would move the others
 * waits in `held` until it is shown.
 */
export function useJobs(filters: JobFilters, isHeld: boolean) {
  const guise = useGuise();
  const queries = useQueryClient();
  const queryKey = useMemo(() => ['jobs', filters], [filters]);
  const list = useInfiniteQuery({
    queryKey,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      guise.jobs.list({ ...jobQueryOf(filters, Date.now()), cursor: pageParam, limit: pageSize }, signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    // Reading it again would read every page again; changes keep it current.
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing thousands of jobs with themselves takes longer than a frame.
    structuralSharing: false,
  });
  const [held, setHeld] = useState<ReadonlyMap<string, JobListEntry>>(new Map());

  const change = useCallback(
    (edit: (data: JobPages) => JobPages) =>
      queries.setQueryData<JobPages>(queryKey, (data) => data && edit(data)),
    [queries, queryKey],
  );

  const take = useCallback(
    (changed: ReadonlyMap<string, JobListEntry>, hold: boolean) => {
      const data = queries.getQueryData<JobPages>(queryKey);
      if (!data) return;
      const query = jobQueryOf(filters, Date.now());
      const known = new Set(data.pages.flatMap((page) => page.jobs.map(({ id }) => id)));
      const fresh = [...changed.values()].filter(
        (job) => !known.has(job.id) && fits(job, query) && isInReach(data, job),
      );
      change((pages) => {
        const replaced = replaceJobs(pages, changed);
        if (hold) return replaced;
        return insertJobs(
          removeJobs(replaced, (job) => changed.has(job.id) && !fits(job, query)),
          fresh,
        );
      });
      if (hold && fresh.length > 0)
        setHeld((old) => new Map([...old, ...fresh.map((job) => [job.id, job] as const)]));
    },
    [queries, queryKey, filters, change],
  );

  const show = useCallback(() => {
    setHeld((waiting) => {
      if (waiting.size > 0) queueMicrotask(() => take(waiting, false));
      return new Map();
    });
  }, [take]);

  // What comes before the first page waits for it: the page may have been read before.
  useGatheredChanges(list.data !== undefined, (changed) => take(changed, isHeld));
  useEffect(() => {
    if (!isHeld) show();
  }, [isHeld, show]);

  useCatchUp(queryKey, filters, take);

  const jobs = useMemo(() => list.data?.pages.flatMap((page) => page.jobs) ?? [], [list.data]);
  const forget = useCallback(
    (ids: ReadonlySet<string>) => change((pages) => removeJobs(pages, ({ id }) => ids.has(id))),
    [change],
  );
  return { ...list, jobs, held: held.size, show, forget };
}

/** Calls back with the jobs that have changed, together; those that change before it is ready as soon as it is. */
function useGatheredChanges(
  isReady: boolean,
  onChanged: (changed: ReadonlyMap<string, JobListEntry>) => void,
): void {
  const gathered = useRef(new Map<string, JobListEntry>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const handOver = () => {
    timer.current = undefined;
    if (!isReady) return;
    const changed = gathered.current;
    gathered.current = new Map();
    onChanged(changed);
  };
  const latest = useRef(handOver);
  latest.current = handOver;
  useJobChange((job) => {
    gathered.current.set(job.id, job);
    timer.current ??= setTimeout(() => latest.current(), gatherMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (isReady) latest.current();
  }, [isReady]);
}

/** Nobody kept a list current that was not on the page: reads its beginning again when it comes back. */
function useCatchUp(
  queryKey: readonly unknown[],
  filters: JobFilters,
  take: (changed: ReadonlyMap<string, JobListEntry>, hold: boolean) => void,
): void {
  const guise = useGuise();
  const queries = useQueryClient();
  useEffect(() => {
    const data = queries.getQueryData<JobPages>(queryKey);
    if (!data) return;
    const stop = new AbortController();
    const query = { ...jobQueryOf(filters, Date.now()), limit: pageSize };
    guise.jobs
      .list(query, stop.signal)
      .then(({ jobs, next_cursor }) => {
        const read = new Set(jobs.map(({ id }) => id));
        const old = data.pages.flatMap((page) => page.jobs);
        const joins = next_cursor === null || old.some(({ id }) => read.has(id));
        const isSettled = old.every((job) => read.has(job.id) || hasEnded(job));
        if (joins && isSettled) take(new Map(jobs.map((job) => [job.id, job])), false);
        else void queries.resetQueries({ queryKey });
      })
      .catch(() => {});
    return () => stop.abort();
  }, [guise, queries, queryKey, filters, take]);
}
