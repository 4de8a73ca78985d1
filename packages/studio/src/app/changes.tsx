import type { ConnectionState } from '@guise/client/changes.ts';
import type { QueueState } from '@guise/contract/changes.ts';
import type { JobListEntry } from '@guise/contract/jobs.ts';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { useGuise } from './guise-context.ts';
import { useSession } from './session.tsx';

type Listener = (type: string, value: unknown) => void;

const ChangesContext = createContext<{ state: ConnectionState; listen(listener: Listener): () => void }>({
  state: 'connecting',
  listen: () => () => {},
});

/** One stream of changes for the whole page. What it names is read again where it is shown. */
export function ChangesProvider({ children }: { children: ReactNode }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { id } = useSession().me;
  const listeners = useRef(new Set<Listener>());
  const [state, setState] = useState<ConnectionState>('connecting');

  useEffect(() => {
    const { signal, abort } = abortable(id);
    queries.setQueryDefaults(queueKey, { gcTime: Number.POSITIVE_INFINITY });
    const stop = guise.followChanges({
      onState: setState,
      onChange(type, value) {
        if (signal.aborted) return;
        // It is told only when it changes: kept for the pages that are opened later.
        if (type === 'queue') queries.setQueryData(queueKey, value);
        const key = shownIn[type];
        if (key) void queries.invalidateQueries({ queryKey: key });
        for (const listener of listeners.current) listener(type, value);
      },
    });
    return () => {
      abort();
      stop();
    };
  }, [guise, queries, id]);

  const value = useMemo(
    () => ({
      state,
      listen(listener: Listener) {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [state],
  );
  return <ChangesContext value={value}>{children}</ChangesContext>;
}

/** What is read again when something of a type has changed. Jobs are many: screens that show them listen themselves. */
const shownIn: Record<string, string[] | undefined> = {
  filter: ['filters'],
  alias: ['aliases'],
  balance: ['me'],
};

const queueKey = ['queue'];

/** How much waits and runs; undefined until the server has told it. */
export const useQueue = () => useQuery<QueueState>({ queryKey: queueKey, queryFn: skipToken }).data;

function abortable(_account: string) {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

export const useConnection = () => use(ChangesContext).state;

/** Calls back on every change of one type while the component is shown. */
export function useChange<T = unknown>(type: string, onChange: (value: T) => void): void {
  const { listen } = use(ChangesContext);
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => listen((changed, value) => changed === type && latest.current(value as T)), [listen, type]);
}

/** Calls back on every change of a job. */
export const useJobChange = (onChange: (job: JobListEntry) => void) => useChange('job', onChange);
