import type { CustomFilter } from '@guise/contract/catalogs.ts';
import type { CustomFilterVersion } from '@guise/contract/filter-details.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { shortTime } from '../../../ui/format-time.ts';
import { PictureCard } from '../../../ui/picture-card.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { say } from '../../../words/say.ts';

interface VersionChoiceProps {
  filter: CustomFilter;
  /** None stands for the current one. */
  chosen: readonly number[];
  onChange(versions: number[]): void;
}

/** One version, or two to compare. */
export function VersionChoice({ filter, chosen, onChange }: VersionChoiceProps) {
  const guise = useGuise();
  const list = useInfiniteQuery({
    queryKey: ['filters', 'versions', filter.id],
    queryFn: ({ pageParam }) => guise.customFilters.versions(filter.id, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const versions = list.data?.pages.flatMap((page) => page.versions) ?? [];
  const current = versions.find((version) => version.current)?.version;
  const shown = chosen.length > 0 ? chosen : current === undefined ? [] : [current];
  const toggle = (version: number) => {
    if (!shown.includes(version)) return onChange([...shown.slice(-1), version].sort((a, b) => a - b));
    if (shown.length > 1) onChange(shown.filter((other) => other !== version));
  };
  return (
    <section aria-label={say('Versions')} className="flex flex-col gap-3">
      <div>
        <h2 className="text-small font-medium text-ink-soft">{say('Versions')}</h2>
        {versions.length > 1 && (
          <p className="text-small text-ink-soft">{say('Choose one, or two to see them side by side.')}</p>
        )}
      </div>
      {list.error && <Problem error={list.error} onRetry={() => void list.refetch()} />}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-3">
        {versions.map((version) => (
          <PictureCard
            key={version.version}
            src={version.preview_images[0]}
            name={nameOf(version)}
            note={version.note || shortTime(version.created_at)}
            ratio={filter.filter_type === 'face_swap' ? '2/3' : '1/1'}
            isChosen={shown.includes(version.version)}
            onClick={() => toggle(version.version)}
          />
        ))}
      </div>
      {list.hasNextPage && (
        <Button
          className="self-start"
          busy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {say('Show older ones')}
        </Button>
      )}
    </section>
  );
}

function nameOf({ version, current, draft }: CustomFilterVersion): string {
  if (current) return say('Version {version}, live', { version });
  return draft ? say('Version {version}, draft', { version }) : say('Version {version}', { version });
}
