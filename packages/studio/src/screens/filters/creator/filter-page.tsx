import { useQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { useGuise } from '../../../app/guise-context.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { say } from '../../../words/say.ts';
import { CreatorHeader } from './creator-header.tsx';
import { FilterEditor } from './filter-editor.tsx';
import { savedFilterQuery } from './saved-filter.ts';

export const Route = createLazyRoute('/shell/studio/filters/$id')({ component: FilterPage });

/** One of the account's filters. */
function FilterPage() {
  const { id } = Route.useParams();
  const guise = useGuise();
  const { data, error, refetch } = useQuery(savedFilterQuery(guise, id));
  if (data) return <FilterEditor key={id} saved={data} />;
  if (error && 'status' in error && error.status === 404)
    return <EmptyState title={say('Filter not found')} text={say('It may have been deleted.')} />;
  return (
    <>
      <CreatorHeader title={say('Filter')}>{null}</CreatorHeader>
      {error && (
        <div className="px-6 max-md:px-4">
          <Problem error={error} onRetry={() => void refetch()} />
        </div>
      )}
    </>
  );
}
