import { Link } from '@tanstack/react-router';
import { ArrowUp } from 'lucide-react';
import { useCallback, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Problem } from '../../ui/problem.tsx';
import { numberText } from '../../words/language.ts';
import { say } from '../../words/say.ts';
import { JobFilterBar } from './job-filter-bar.tsx';
import { JobGallery } from './job-gallery.tsx';
import { JobList } from './job-list.tsx';
import type { JobFilters } from './jobs-search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { useJobs } from './use-jobs.ts';
import { useKeyNames } from './use-key-names.ts';
import { scrollToTop, useIsAtTop } from './use-scroll-list.ts';
import { useSelection } from './use-selection.ts';

interface JobWallProps {
  filters: JobFilters;
  view: 'gallery' | 'list';
  onNarrow(change: JobFilters): void;
}

/** The jobs that fit, as pictures or as lines, and what can be done with many of them. */
export function JobWall({ filters, view, onNarrow }: JobWallProps) {
  const isAtTop = useIsAtTop();
  const [isSelecting, setIsSelecting] = useState(false);
  // Whoever has scrolled or selected something looks at it: it must not move.
  const list = useJobs(filters, !isAtTop || isSelecting);
  const selection = useSelection(list.jobs);
  if (isSelecting !== selection.ids.size > 0) setIsSelecting(selection.ids.size > 0);
  const { submitterName } = useKeyNames();

  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list;
  const readMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const onNearEnd = hasNextPage && !isFetching && !isFetchNextPageError ? readMore : undefined;
  const shown = { jobs: list.jobs, selection, onNearEnd };
  return (
    <>
      <div className="sticky top-0 z-10 flex min-h-15 items-center justify-between gap-3 bg-ground px-6 pt-3 pb-2 max-md:px-4">
        <JobFilterBar filters={filters} jobs={list.jobs} onChange={onNarrow} />
        {list.held > 0 && (
          <Button
            kind="primary"
            icon={<ArrowUp size={16} aria-hidden />}
            onClick={() => {
              selection.clear();
              scrollToTop();
              list.show();
            }}
          >
            {list.held === 1 ? say('1 new job') : say('{count} new jobs', { count: numberText(list.held) })}
          </Button>
        )}
      </div>
      <div className="px-6 pt-1 pb-6 max-md:px-4">
        {list.isSuccess && list.jobs.length === 0 && !hasNextPage ? (
          <NoJobs isNarrowed={Object.keys(filters).length > 0} />
        ) : view === 'list' ? (
          <JobList {...shown} submitterName={submitterName} />
        ) : (
          <JobGallery {...shown} />
        )}
        {list.error && (
          <Problem error={list.error} onRetry={() => void (list.data ? fetchNextPage() : list.refetch())} />
        )}
        <p role="status" className="min-h-6 pt-3 text-center text-small text-ink-soft">
          {list.isFetchingNextPage
            ? say('Loading more…')
            : list.isPending && !list.error
              ? say('Loading jobs…')
              : ''}
        </p>
        <SelectionBar jobs={list.jobs} selection={selection} onErased={list.forget} />
      </div>
    </>
  );
}

function NoJobs({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed)
    return (
      <EmptyState title={say('No matching jobs')} text={say('Change or clear the filters.')}>
        <Link
          to="/studio/jobs"
          search={(old) => ({ ...(old.view && { view: old.view }) })}
          className="text-accent-ink underline"
        >
          {say('Show all jobs')}
        </Link>
      </EmptyState>
    );
  return (
    <EmptyState
      title={say('No jobs yet')}
      text={say('What you try here and what booths submit with a key appears on this page.')}
    >
      <Link to="/" className="text-accent-ink underline">
        {say('Try a filter')}
      </Link>
    </EmptyState>
  );
}
