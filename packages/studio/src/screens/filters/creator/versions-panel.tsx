import type { CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { Problem } from '../../../ui/problem.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { FilterGrid, FilterGridLoading } from '../filter-grid.tsx';
import { savedFilterQuery } from './saved-filter.ts';
import { VersionCard } from './version-card.tsx';

/** The versions of a filter as pictures, newest first; each can become the newest again. */
export function VersionsPanel({ detail, etag }: { detail: CustomFilterDetail; etag: string | undefined }) {
  const guise = useGuise();
  const list = useInfiniteQuery({
    queryKey: ['filters', 'versions', detail.id],
    queryFn: ({ pageParam }) => guise.customFilters.versions(detail.id, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const restore = useRestore(detail.id);
  const wide = detail.filter_type === 'multi_swap';
  if (list.error) return <Problem error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return <FilterGridLoading wide={wide} />;
  const versions = list.data.pages.flatMap((page) => page.versions);
  return (
    <div className="flex flex-col gap-6">
      <FilterGrid wide={wide}>
        {versions.map((version) => (
          <VersionCard
            key={version.version}
            version={version}
            ratio={wide ? '3/2' : '2/3'}
            isBusy={restore.isPending}
            onRestore={() => restore.mutate({ version: version.version, from: detail.version, etag })}
          />
        ))}
      </FilterGrid>
      {list.hasNextPage && (
        <Button
          className="self-center"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Show older ones
        </Button>
      )}
    </div>
  );
}

interface Restored {
  version: number;
  /** The version that is current now, to undo it. */
  from: number;
  etag: string | undefined;
}

/** Makes an older version the newest. Nothing is lost by it, and it can be undone. */
function useRestore(id: string) {
  const guise = useGuise();
  const queries = useQueryClient();
  const toast = useToast();
  const restore = useMutation({
    async mutationFn({ version, etag }: Restored) {
      const { value } = await guise.customFilters.restore(id, version, etag);
      await queries.fetchQuery({ ...savedFilterQuery(guise, id), staleTime: 0 });
      return value;
    },
    onSuccess(detail, { version, from }) {
      void queries.invalidateQueries({ queryKey: ['filters'] });
      toast.tell(`Version ${version} is restored as version ${detail.version}.`, {
        label: 'Undo',
        onClick: () => restore.mutate({ version: from, from: detail.version, etag: undefined }),
      });
    },
    onError: (error) => toast.fail(errorSentence(error)),
  });
  return restore;
}
