import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useGuise } from '../../app/guise-context.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say, sayParts } from '../../words/say.ts';
import { FilterGrid, FilterGridLoading } from './filter-grid.tsx';
import { OwnFilterCard } from './own-filter-card.tsx';
import { primaryLink } from './primary-link.ts';
import { isWanted, modesOf, type Wanted } from './wanted.ts';

/** The account's own filters, by the shape of their pictures. */
export function OwnFilters({ wanted }: { wanted: Wanted }) {
  const guise = useGuise();
  const { data, error, refetch } = useQuery({
    queryKey: ['filters', 'list'],
    queryFn: ({ signal }) => guise.customFilters.listVersioned(signal),
  });
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <FilterGridLoading wide={false} />;
  if (data.length === 0) return <NoFilters />;
  const found = data.filter((filter) => isWanted(filter.name, modesOf(filter), wanted));
  const ofOne = found.filter(({ filter_type }) => filter_type === 'face_swap');
  const ofMany = found.filter(({ filter_type }) => filter_type === 'multi_swap');
  if (found.length === 0)
    return (
      <EmptyState
        title={say('None of your filters match')}
        text={say('Shorten the search, or look in the catalogs.')}
      />
    );
  return (
    <div className="flex flex-col gap-8">
      {[ofOne, ofMany].map((filters, at) =>
        filters.length === 0 ? null : (
          <section
            key={at === 0 ? 'one' : 'many'}
            aria-label={at === 0 ? say('For one person') : say('For several people')}
          >
            <FilterGrid wide={at === 1}>
              {filters.map((filter) => (
                <OwnFilterCard key={filter.id} filter={filter} />
              ))}
            </FilterGrid>
          </section>
        ),
      )}
    </div>
  );
}

function NoFilters() {
  return (
    <EmptyState
      title={say('Make your first filter')}
      text={say(
        'Describe it in words, start from a campaign picture, or put it together from scenes, costumes and looks.',
      )}
    >
      <Link to="/studio/filters/new" className={primaryLink}>
        {say('New filter')}
      </Link>
      <p className="text-small text-ink-soft">
        {sayParts('Or look at what the catalogs have: {faceSwap}, {realistic}, {stylized}', {
          faceSwap: (
            <Link to="/studio/filters" search={{ show: 'face_swap' }} className="text-accent-ink underline">
              {say('face swap')}
            </Link>
          ),
          realistic: (
            <Link to="/studio/filters" search={{ show: 'realistic' }} className="text-accent-ink underline">
              {say('realistic')}
            </Link>
          ),
          stylized: (
            <Link to="/studio/filters" search={{ show: 'stylized' }} className="text-accent-ink underline">
              {say('stylized')}
            </Link>
          ),
        })}
      </p>
    </EmptyState>
  );
}
