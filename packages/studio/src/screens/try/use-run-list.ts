import { useMemo, useRef, useState } from 'react';
import type { Run } from './run-states.ts';

/** The runs that are shown. What is asked between two renders is answered with the newest. */
export function useRunList() {
  const [runs, setRuns] = useState<Run[]>([]);
  const latest = useRef<Run[]>([]);
  const list = useMemo(() => {
    const replace = (next: Run[]) => {
      latest.current = next;
      setRuns(next);
    };
    return {
      replace,
      find: (isWanted: (run: Run) => boolean) => latest.current.find(isWanted),
      keep: (isKept: (run: Run) => boolean) => replace(latest.current.filter(isKept)),
      /** Changes nothing when the run is no longer shown. */
      update: (key: string, change: Partial<Run>) =>
        replace(latest.current.map((run) => (run.key === key ? { ...run, ...change } : run))),
    };
  }, []);
  return { runs, list };
}
