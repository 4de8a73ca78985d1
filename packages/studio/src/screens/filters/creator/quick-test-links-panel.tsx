import type { QuickTestLink } from '@guise/contract/quick-tests.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/confirm.tsx';
import { shortTime } from '../../../ui/format-time.ts';
import { Problem } from '../../../ui/problem.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { NewQuickTestLink } from './new-quick-test-link.tsx';

const states: Record<QuickTestLink['state'], string> = {
  valid: '',
  used_up: say('used up'),
  expired: say('expired'),
  filter_deleted: say('filter deleted'),
};

/** Links with which a client tries the filter without an account. */
export function QuickTestLinksPanel({ filterId }: { filterId: string }) {
  const guise = useGuise();
  const list = useInfiniteQuery({
    queryKey: ['quick_test_links'],
    queryFn: ({ pageParam }) => guise.quickTestLinks.list(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  // The list is of all filters, and an account has at most 200 links.
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const links = list.data?.pages
    .flatMap((page) => page.quick_test_links)
    .filter(({ filter }) => filter.id === filterId);
  return (
    <section aria-label={say('Quick test links')} className="flex max-w-3xl flex-col gap-6">
      <p className="max-w-prose text-ink-soft">
        {say(
          'A client opens the link, takes a photo and gets the picture, without an account. Each run is charged to you.',
        )}
      </p>
      <NewQuickTestLink filterId={filterId} />
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      {links && links.length > 0 && (
        <ul className="border-t">
          {links.map((link) => (
            <LinkRow key={link.id} link={link} />
          ))}
        </ul>
      )}
    </section>
  );
}

function LinkRow({ link }: { link: QuickTestLink }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const toast = useToast();
  const name = link.name || say('Unnamed');
  const use = { used: link.runs_used, runs: link.runs, time: shortTime(link.expires_at) };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b py-2.5">
      <div className="min-w-0">
        <p className={`truncate ${link.state === 'valid' ? '' : 'text-ink-soft'}`}>
          {name}
          {states[link.state] && `, ${states[link.state]}`}
        </p>
        <p className="text-small text-ink-soft">
          {link.last_used
            ? say('{used} of {runs} runs used, until {time}, last used {last}', {
                ...use,
                last: shortTime(link.last_used),
              })
            : say('{used} of {runs} runs used, until {time}', use)}
        </p>
      </div>
      <Confirm
        trigger={<Button>{say('Revoke')}</Button>}
        title={link.name ? say('Revoke {name}?', { name: link.name }) : say('Revoke this link?')}
        text={say('The link stops working for everyone.')}
        action={say('Revoke')}
        onConfirm={async () => {
          await guise.quickTestLinks.revoke(link.id);
          toast.tell(say('The link is revoked.'));
          await queries.invalidateQueries({ queryKey: ['quick_test_links'] });
        }}
      />
    </li>
  );
}
