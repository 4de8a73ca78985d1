import { useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { WallFilter } from './run-choice.ts';
import { useWallFilters } from './use-wall-filters.ts';

/** Calls back once, when the page is ready, with the filter that the address names: `/?filter=12&catalog=realistic`, or an own one by its id. */
export function useAskedFilter(isReady: boolean, onFilter: (filter: WallFilter) => void): string {
  const search: { filter?: unknown; catalog?: unknown } = useSearch({ strict: false });
  const { filters } = useWallFilters();
  const taken = useRef('');
  const [id, catalog] = [String(search.filter ?? ''), String(search.catalog ?? 'own')];
  const asked = filters.find((filter) => filter.id === id && filter.catalog === catalog);
  useEffect(() => {
    if (!isReady || !asked || taken.current === `${asked.catalog} ${asked.id}`) return;
    taken.current = `${asked.catalog} ${asked.id}`;
    onFilter(asked);
  });
  return asked ? `${catalog} ${id}` : '';
}
