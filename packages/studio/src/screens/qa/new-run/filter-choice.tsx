import type { CustomFilter } from '@guise/contract/catalogs.ts';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { PictureCard } from '../../../ui/picture-card.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { SearchField } from '../../../ui/search-field.tsx';
import { say } from '../../../words/say.ts';
import { plainLink } from '../../filters/primary-link.ts';

interface FilterChoiceProps {
  filters: UseQueryResult<CustomFilter[]>;
  chosen: CustomFilter | undefined;
  onChoose(id: string): void;
}

/** With more than these, names are searched. */
const withoutSearch = 9;

/** The account's own filters as pictures; once one is chosen, that one alone. */
export function FilterChoice({ filters, chosen, onChoose }: FilterChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const all = filters.data ?? [];
  const found = all.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const choose = (id: string) => {
    setOpen(false);
    onChoose(id);
  };
  if (chosen && !isOpen)
    return (
      <section aria-label={say('Filter')} className="flex items-end gap-4">
        <div className={chosen.filter_type === 'face_swap' ? 'w-28' : 'w-44'}>
          <Preview src={chosen.preview_images[0]} />
        </div>
        <div className="min-w-0 flex-1">
          <h2 className="text-small font-medium text-ink-soft">{say('Filter')}</h2>
          <p className="mb-3 line-clamp-3 font-medium">{chosen.name}</p>
          <Button onClick={() => setOpen(true)}>{say('Choose another')}</Button>
        </div>
      </section>
    );
  return (
    <section aria-label={say('Filter')} className="flex flex-col gap-3">
      <div className="flex min-h-9 items-center justify-between gap-3">
        <h2 className="text-small font-medium text-ink-soft">{say('Filter')}</h2>
        {all.length > withoutSearch && (
          <SearchField
            label={say('Search by name')}
            value={search}
            onChange={setSearch}
            className="min-w-0 flex-1 basis-32 sm:max-w-72"
          />
        )}
      </div>
      {filters.error && <Problem error={filters.error} onRetry={() => void filters.refetch()} />}
      {filters.data?.length === 0 && (
        <div className="flex flex-col items-start gap-3">
          <p className="text-ink-soft">{say('QA runs check your own filters, and you have none yet.')}</p>
          <Link to="/studio/filters/new" className={plainLink}>
            {say('Make a filter')}
          </Link>
        </div>
      )}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-3">
        {found.map((filter) => (
          <PictureCard
            key={filter.id}
            src={filter.preview_images[0]}
            name={filter.name}
            ratio={filter.filter_type === 'face_swap' ? '2/3' : '1/1'}
            isChosen={filter.id === chosen?.id}
            onClick={() => choose(filter.id)}
          />
        ))}
      </div>
    </section>
  );
}

function Preview({ src }: { src: string | undefined }) {
  if (!src) return <div className="aspect-[2/3] rounded-card bg-panel" />;
  return <img src={src} alt="" className="w-full rounded-card bg-panel" />;
}
