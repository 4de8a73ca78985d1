import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { useSession } from '../../app/session.tsx';
import { shortRef } from './job-words.ts';

/** The account's keys, and what to call the one that submitted a job. Whoever may not read keys sees their ids. */
export function useKeyNames() {
  const guise = useGuise();
  const mayRead = useSession().me.scopes.includes('read');
  const { data } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: () => guise.keys.list(),
    enabled: mayRead,
  });
  const keys = data?.keys ?? [];
  const names = new Map(keys.map((key) => [key.id, key.name]));
  // Compared by its content: rows of a list are drawn again only when a name changes.
  const content = JSON.stringify([...names]);
  const keyName = useCallback(
    (id: string | null) =>
      id === null ? 'Studio' : (new Map<string, string>(JSON.parse(content)).get(id) ?? shortRef(id)),
    [content],
  );
  return { keys, keyName };
}
