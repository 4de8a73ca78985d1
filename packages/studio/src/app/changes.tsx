import type { ConnectionState } from '@guise/client/changes.ts';
import type { QueueState } from '@guise/contract/changes.ts';
import type { JobListEntry } from '@guise/contract/jobs.ts';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { useGuise } from './guise-context.ts';
import { useSession } from './session.tsx';
import { followSharedChanges } from './shared-changes.ts';

type Listener = (type: string, value: unknown) => void;

const ChangesContext = createContext<{ state: ConnectionState; listen(listener: Listener): () => void }>({
  state: 'connecting',
  listen: () => () => {},
});

/** One stream of changes for all pages of the browser. What it names is read again where it is shown. */
export function ChangesProvider({ children }: { children: ReactNode }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { id, key, scopes } = useSession().me;
  const mayFollow = scopes.includes('read');
  // Tabs with another key may see less: they have a stream of their own.
  const credentials = key === null ? `session ${id}` : `key ${key.id}`;
  const listeners = useRef(new Set<Listener>());
  const [state, setState] = useState<ConnectionState>('connecting');

  useEffect(() => {
    queries.setQueryDefaults(queueKey, { gcTime: Number.POSITIVE_INFINITY });
    // A key that may only run is refused: no connection is lost then.
    if (!mayFollow) return;
    return followSharedChanges(guise, credentials, {
      onState: setState,
      onRefused: () => void queries.refetchQueries({ queryKey: ['me'] }),
      onChange(type, value) {
        // It is told only when it changes: kept for the pages that are opened later.
        if (type === 'queue') queries.setQueryData(queueKey, value);
        const key = shownIn[type];
        if (key) void queries.invalidateQueries({ queryKey: key });
        for (const listener of listeners.current) listener(type, value);
      },
    });
  }, [guise, queries, credentials, mayFollow]);

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
