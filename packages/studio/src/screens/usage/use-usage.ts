import type { UsageGrouping } from '@guise/contract/usage.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { type DayRange, usageQueryOf } from './usage-search.ts';

/** The usage of some days. While other days are read, the old ones stay. */
export function useUsage(by: UsageGrouping, { first, last }: DayRange) {
  const guise = useGuise();
  return useQuery({
    queryKey: ['usage', by, first, last],
    queryFn: ({ signal }) => guise.usage.read({ by, ...usageQueryOf({ first, last }) }, signal),
    placeholderData: keepPreviousData,
  });
}
