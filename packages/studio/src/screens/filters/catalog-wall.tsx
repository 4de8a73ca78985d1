import { type CatalogName, filterTypeOf } from '@guise/contract/catalogs.ts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PictureCard } from '../../ui/picture-card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../words/say.ts';
import { FilterGrid, FilterGridLoading } from './filter-grid.tsx';
import { tryAddress } from './try-address.ts';
import { isWanted, type Wanted } from './wanted.ts';

/** A catalog that every account has. Its filters can be tried, and are called by their number. */
export function CatalogWall({ catalog, wanted }: { catalog: CatalogName; wanted: Wanted }) {
  const guise = useGuise();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['catalogs', catalog],
    queryFn: () => guise.catalogs.list(catalog),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const wide = filterTypeOf(catalog) === 'multi_swap';
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return <FilterGridLoading wide={wide} />;
  const found = data.filter(({ name, modes }) => isWanted(name, modes, wanted));
  if (found.length === 0)
    return <EmptyState title={say('No filter matches')} text={say('Shorten the search.')} />;
  return (
    <FilterGrid wide={wide}>
      {found.map(({ id, name, preview_url, modes }) => (
        <PictureCard
          key={id}
          src={preview_url}
          name={name}
          note={
            modes.includes('group') ? say('Number {id}, also for groups', { id }) : say('Number {id}', { id })
          }
          ratio={wide ? '3/2' : '2/3'}
          onClick={() => void navigate({ href: tryAddress({ id, catalog }) })}
          actions={
            <Button
              className="min-h-9"
              aria-label={say('Try {name}', { name })}
              onClick={() => void navigate({ href: tryAddress({ id, catalog }) })}
            >
              {say('Try')}
            </Button>
          }
        />
      ))}
    </FilterGrid>
  );
}
