import type { Alias } from '@guise/contract/aliases.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../app/changes.tsx';
import { useGuise } from '../../app/guise-context.ts';

export const aliasesKey = ['aliases', 'list'];

/** The account's aliases, as they are now: what others change arrives by itself. */
export function useAliases() {
  const guise = useGuise();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey: aliasesKey,
    queryFn: ({ signal }) => guise.aliases.list(signal),
  });
  useChange<Alias>('alias', (alias) =>
    queries.setQueryData<Alias[]>(aliasesKey, (list) => list && withAlias(list, alias)),
  );
  return { aliases: data, error, retry: () => void refetch() };
}

/** The list with an alias put in its place, or added. */
export function withAlias(list: readonly Alias[], alias: Alias): Alias[] {
  return list.some(({ id }) => id === alias.id)
    ? list.map((entry) => (entry.id === alias.id ? alias : entry))
    : [...list, alias];
}

export interface Project {
  /** Empty for aliases without one. */
  name: string;
  aliases: Alias[];
}

/** By name, those without a project last; slots keep their place, the oldest first. */
export function groupByProject(aliases: readonly Alias[]): Project[] {
  const groups = Map.groupBy(aliases, ({ project }) => project.trim());
  return [...groups]
    .map(([name, group]) => ({
      name,
      aliases: group.toSorted((a, b) => a.created_at.localeCompare(b.created_at)),
    }))
    .toSorted((a, b) => Number(a.name === '') - Number(b.name === '') || a.name.localeCompare(b.name));
}
