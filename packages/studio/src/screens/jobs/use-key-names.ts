import type { JobListEntry } from '@guise/contract/jobs.ts';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { useSession } from '../../app/session.tsx';
import { shortId } from '../../ui/short-id.ts';
import { say } from '../../words/say.ts';

/**
 * The account's keys, and what to call what submitted a job: a key, the quick test link of a guest, or the studio. Whoever
 * may not read keys sees their ids.
 */
export function useKeyNames() {
  const guise = useGuise();
  const mayRead = useSession().me.scopes.includes('read');
  const { data } = useQuery({
    queryKey: ['keys', 'names'],
    queryFn: () => guise.keys.list(),
    enabled: mayRead,
  });
  const links = useQuery({
    queryKey: ['quick_test_links', 'names'],
    queryFn: () => guise.quickTestLinks.list(),
    enabled: mayRead,
  });
  const keys = data?.keys ?? [];
  const names = [
    ...keys.map((key) => [key.id, key.name]),
    ...(links.data?.quick_test_links ?? []).map(({ id, name }) => [id, linkName(name || shortId(id))]),
  ];
  // Compared by its content: rows of a list are drawn again only when a name changes.
  const content = JSON.stringify(names);
  const keyName = useCallback(
    (id: string | null) =>
      id === null ? say('Studio') : (new Map<string, string>(JSON.parse(content)).get(id) ?? shortId(id)),
    [content],
  );
  const submitterName = useCallback(
    ({ key_id, quick_test_link_id }: Pick<JobListEntry, 'key_id' | 'quick_test_link_id'>) => {
      const name = keyName(quick_test_link_id ?? key_id);
      // A link that was revoked is not listed any more.
      return quick_test_link_id && name === shortId(quick_test_link_id) ? linkName(name) : name;
    },
    [keyName],
  );
  return { keys, keyName, submitterName };
}

const linkName = (name: string) => say('Quick test link {name}', { name });
