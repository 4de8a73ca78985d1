import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../words/say.ts';
import { primaryLink } from '../filters/primary-link.ts';
import { qaRunsKey } from './qa-run-query.ts';
import { QaRunRow, QaRunRowLoading } from './qa-run-row.tsx';

export const Route = createLazyRoute('/shell/studio/qa')({ component: QaScreen });

/** Every run is read with its pictures: few at a time. */
const pageSize = 12;

/** The account's QA runs as rows of pictures. */
function QaScreen() {
  const guise = useGuise();
  const list = useInfiniteQuery({
    queryKey: [...qaRunsKey, 'list'],
    queryFn: ({ pageParam }) => guise.qaRuns.list({ cursor: pageParam, limit: pageSize }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchOnMount: 'always',
  });
  const runs = list.data?.pages.flatMap((page) => page.qa_runs);
  return (
    <>
      <PageHeader title="QA" text={say('A filter over many photos, judged by a person before it goes live.')}>
        {runs?.length !== 0 && <NewRun />}
      </PageHeader>
      <div className="flex flex-col px-6 pb-10 max-md:px-4">
        {list.error ? (
          <Problem error={list.error} onRetry={() => void list.refetch()} />
        ) : !runs ? (
          ['a', 'b', 'c'].map((key) => <QaRunRowLoading key={key} />)
        ) : runs.length === 0 ? (
          <EmptyState
            title={say('See a filter on many photos at once')}
            text={say(
              'Choose a filter and photos of one, two and more people. Then rate each picture as good or bad.',
            )}
          >
            <NewRun />
          </EmptyState>
        ) : (
          <ul className="border-t">
            {runs.map((run) => (
              <QaRunRow key={run.id} run={run} />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <Button
            className="mt-6 self-center"
            busy={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {say('Show older runs')}
          </Button>
        )}
      </div>
    </>
  );
}

const NewRun = () => (
  <Link to="/studio/qa/new" className={primaryLink}>
    <Plus size={17} aria-hidden />
    {say('New run')}
  </Link>
);
