import { createLazyRoute, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import { CatalogWall } from './catalog-wall.tsx';
import type { ShownList } from './filters-search.ts';
import { ImportFilter } from './import-filter.tsx';
import { OwnFilters } from './own-filters.tsx';
import { plainLink, primaryLink } from './primary-link.ts';
import type { Wanted } from './wanted.ts';

export const Route = createLazyRoute('/shell/studio/filters')({ component: FiltersScreen });

const lists: { value: ShownList; label: string }[] = [
  { value: 'own', label: say('Own') },
  { value: 'face_swap', label: say('Face swap') },
  { value: 'realistic', label: say('Realistic') },
  { value: 'stylized', label: say('Stylized') },
];
const people: { value: Wanted['people']; label: string }[] = [
  { value: 'any', label: say('All') },
  { value: 'single', label: say('One person') },
  { value: 'group', label: say('Group') },
];

/** Filters as pictures: the account's own ones and the catalogs. */
function FiltersScreen() {
  const { show = 'own' } = Route.useSearch();
  const navigate = useNavigate();
  const [wanted, setWanted] = useState<Wanted>({ text: '', people: 'any' });
  return (
    <>
      <PageHeader title={say('Filters')}>
        <Link to="/studio/scenes" className={plainLink}>
          {say('Own scenes')}
        </Link>
        <ImportFilter />
        <Link to="/studio/filters/new" className={primaryLink}>
          <Plus size={17} aria-hidden />
          {say('New filter')}
        </Link>
      </PageHeader>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-6 pb-5 max-md:px-4">
        <Segmented
          label={say('Which filters')}
          className="max-sm:w-full"
          value={show}
          options={lists}
          onChange={(next) => void navigate({ to: '/studio/filters', search: { show: next } })}
        />
        <Segmented
          label={say('For whom')}
          value={wanted.people}
          options={people}
          onChange={(next) => setWanted({ ...wanted, people: next })}
        />
        <SearchField
          label={say('Search by name')}
          value={wanted.text}
          onChange={(text) => setWanted({ ...wanted, text })}
          className="min-w-0 flex-1 basis-32 sm:max-w-72"
        />
      </div>
      <div className="px-6 pb-10 max-md:px-4">
        {show === 'own' ? (
          <OwnFilters wanted={wanted} />
        ) : (
          <CatalogWall key={show} catalog={show} wanted={wanted} />
        )}
      </div>
    </>
  );
}
