import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

/** Which of a list are chosen. With the shift key, everything between two of them. */
export function useSelection(order: readonly { id: string }[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const latest = useRef(order);
  latest.current = order;
  const anchor = useRef<string>(undefined);

  const toggle = useCallback((id: string, isRange: boolean) => {
    const from = isRange ? latest.current.findIndex((entry) => entry.id === anchor.current) : -1;
    const to = latest.current.findIndex((entry) => entry.id === id);
    anchor.current = id;
    setIds((old) => {
      const next = new Set(old);
      if (from >= 0 && to >= 0) {
        for (const entry of latest.current.slice(Math.min(from, to), Math.max(from, to) + 1))
          next.add(entry.id);
      } else if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  const clear = useCallback(() => setIds(new Set()), []);
  const remove = useCallback(
    (gone: ReadonlySet<string>) => setIds((old) => new Set([...old].filter((id) => !gone.has(id)))),
    [],
  );
  const selectAll = useCallback(() => setIds(new Set(latest.current.map(({ id }) => id))), []);

  const isEmpty = ids.size === 0;
  useEffect(() => {
    if (isEmpty) return;
    const onKey = (event: KeyboardEvent) => {
      // A dialog above the page closes with the same key.
      const isInDialog = event.target instanceof Element && event.target.closest('[role$="dialog"]');
      if (event.key === 'Escape' && !isInDialog) clear();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [isEmpty, clear]);

  return useMemo(() => ({ ids, toggle, clear, remove, selectAll }), [ids, toggle, clear, remove, selectAll]);
}
export type Selection = ReturnType<typeof useSelection>;
