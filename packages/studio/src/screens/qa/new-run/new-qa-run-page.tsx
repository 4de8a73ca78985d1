import type { NewQaRun } from '@guise/contract/qa-runs.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { say } from '../../../words/say.ts';
import { qaRunQuery, qaRunsKey } from '../qa-run-query.ts';
import { FilterChoice } from './filter-choice.tsx';
import { PhotoChoice } from './photo-choice.tsx';
import { StartBar } from './start-bar.tsx';
import { usePhotoChoice } from './use-photo-choice.ts';
import { VersionChoice } from './version-choice.tsx';

export const Route = createLazyRoute('/shell/studio/qa/new')({ component: NewQaRunPage });

/** A filter, one or two of its versions, photos; the price; go. */
function NewQaRunPage() {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { filter: filterId } = Route.useSearch();
  const filters = useQuery({
    queryKey: ['filters', 'list'],
    queryFn: ({ signal }) => guise.customFilters.listVersioned(signal),
  });
  const filter = filters.data?.find(({ id }) => id === filterId);
  const photos = usePhotoChoice();
  const [chosen, setChosen] = useState<{ filterId: string; versions: number[] }>();
  // Versions of another filter mean nothing; none at first stands for the current one.
  const versions = chosen && chosen.filterId === filterId ? chosen.versions : [];

  const wanted =
    filter && photos.set && photos.chosen.length > 0
      ? {
          filter_id: filter.id,
          photo_set_id: photos.set.id,
          ...(versions.length > 0 && { versions }),
          ...(photos.chosen.length < photos.set.photos.length && { photo_ids: photos.chosen }),
        }
      : undefined;
  const start = useMutation({
    mutationFn: (run: NewQaRun) => guise.qaRuns.create(run),
    onSuccess(run) {
      queries.setQueryData(qaRunQuery(guise, run.id).queryKey, run);
      void queries.invalidateQueries({ queryKey: [...qaRunsKey, 'list'] });
      void navigate({ to: '/studio/qa/$id', params: { id: run.id } });
    },
  });
  return (
    <div className="flex min-h-full flex-col">
      <PageHeader title={say('New QA run')} />
      <div className="grid flex-1 grid-cols-[minmax(20rem,26rem)_minmax(0,1fr)] border-t max-lg:grid-cols-1">
        <div className="flex flex-col gap-8 border-r p-6 max-lg:border-r-0 max-lg:border-b max-md:p-4">
          <FilterChoice
            filters={filters}
            chosen={filter}
            onChoose={(id) =>
              void navigate({
                to: '/studio/qa/new',
                search: { filter: id },
                replace: true,
                resetScroll: false,
              })
            }
          />
          {filter && (
            <VersionChoice
              key={filter.id}
              filter={filter}
              chosen={versions}
              onChange={(next) => setChosen({ filterId: filter.id, versions: next })}
            />
          )}
        </div>
        <PhotoChoice photos={photos} />
      </div>
      <StartBar
        wanted={wanted}
        missing={!filter ? say('Choose a filter') : say('Choose photos')}
        isStarting={start.isPending}
        problem={start.error}
        onStart={start.mutate}
      />
    </div>
  );
}
