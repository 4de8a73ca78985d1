import { useInfiniteQuery } from '@tanstack/react-query';

/** What reads the next page of a list, if there is one. */
export interface MorePages {
  hasMore: boolean;
  isLoading: boolean;
  load(): void;
}

/** A list that the server gives page by page. */
export function usePages<Page extends { next_cursor: string | null }>(
  queryKey: readonly string[],
  read: (cursor: string | undefined) => Promise<Page>,
) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  const more: MorePages = {
    hasMore: query.hasNextPage,
    isLoading: query.isFetchingNextPage,
    load: () => void query.fetchNextPage(),
  };
  return {
    /** Undefined while the first one is read. */
    pages: query.data?.pages,
    error: query.error,
    isReading: query.isFetching,
    readAgain: () => void query.refetch(),
    more,
  };
}
