import { useQueries } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { shortRef } from '../jobs/job-words.ts';

/** What to call a filter that jobs named by an integer or a UUID. Each catalog counts its filters from 1. */
export function useFilterNames(): (ref: string) => string {
  const guise = useGuise();
  const catalogs = useQueries({
    queries: (['face_swap', 'realistic', 'stylized'] as const).map((catalog) => ({
      queryKey: ['catalog', catalog],
      queryFn: () => guise.catalogs.list(catalog),
    })),
  });
  return (ref) => {
    const names = new Set(
      catalogs.flatMap(({ data }) => (data ?? []).filter(({ id }) => id === ref).map(({ name }) => name)),
    );
    return names.size === 0 ? shortRef(ref) : [...names].join(' / ');
  };
}
