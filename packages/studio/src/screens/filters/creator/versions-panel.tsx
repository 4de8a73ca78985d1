import type { CustomFilterDetail, CustomFilterVersion } from '@guise/contract/filter-details.ts';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { Problem } from '../../../ui/problem.tsx';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { FilterGrid, FilterGridLoading } from '../filter-grid.tsx';
import { MakeLiveDialog } from './make-live-dialog.tsx';
import { useGoLive } from './use-go-live.ts';
import { VersionCard } from './version-card.tsx';

/** The versions of a filter as pictures, newest first; each can be made live again. */
export function VersionsPanel({ detail, etag }: { detail: CustomFilterDetail; etag: string | undefined }) {
  const guise = useGuise();
  const list = useInfiniteQuery({
    queryKey: ['filters', 'versions', detail.id],
    queryFn: ({ pageParam }) => guise.customFilters.versions(detail.id, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const [asked, setAsked] = useState<CustomFilterVersion>();
  const { goBack } = useGoLive(detail);
  const openDraft = useOpenDraft(detail.id);
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
            isOpen={version.version === detail.draft?.version}
            isBusy={openDraft.isPending}
            onRestore={() => setAsked(version)}
            onOpen={() => openDraft.mutate(version.version)}
          />
        ))}
      </FilterGrid>
      {list.hasNextPage && (
        <Button
          className="self-center"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {say('Show older ones')}
        </Button>
      )}
      {asked && (
        <MakeLiveDialog
          detail={detail}
          version={asked}
          onClose={() => setAsked(undefined)}
          onConfirm={() => goBack(asked.version, etag)}
        />
      )}
    </div>
  );
}

/** Opens a draft that was put away. */
function useOpenDraft(id: string) {
  const guise = useGuise();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: (version: number) => guise.customFilters.chooseDraft(id, version),
    async onSuccess(_, version) {
      await queries.invalidateQueries({ queryKey: ['filters'] });
      toast.tell(say('Draft {version} is open.', { version }));
    },
    onError: (error) => toast.fail(errorSentence(error)),
  });
}
