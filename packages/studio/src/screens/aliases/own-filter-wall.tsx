import type { CustomFilter } from '@guise/contract/catalogs.ts';
import { type HTMLAttributes, useState } from 'react';
import { PictureCard } from '../../ui/picture-card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { say } from '../../words/say.ts';
import { useOwnFilters } from './use-own-filters.ts';

interface OwnFilterWallProps {
  /** Narrow beside the slots, wide in a dialog. */
  columns: string;
  chosenId?: string | null;
  onChoose?(filter: CustomFilter): void;
  /** What the frame of a picture gets, to be dragged. */
  frameProps?(filter: CustomFilter): HTMLAttributes<HTMLDivElement>;
}

/** The account's own filters as pictures, by the shape of their pictures. */
export function OwnFilterWall({ columns, chosenId, onChoose, frameProps }: OwnFilterWallProps) {
  const { filters = [], error, retry } = useOwnFilters();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const found = filters
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    // Pictures of one shape stand together.
    .toSorted((a, b) => a.filter_type.localeCompare(b.filter_type));
  return (
    <div className="flex flex-col gap-4">
      {filters.length > 6 && (
        <SearchField label={say('Search your filters')} value={search} onChange={setSearch} />
      )}
      {error && <Problem error={error} onRetry={retry} />}
      <div className={`grid gap-x-3 gap-y-4 ${columns}`}>
        {found.map((filter) => {
          const isWide = filter.filter_type === 'multi_swap';
          const { className = '', ...props } = frameProps?.(filter) ?? {};
          return (
            <div key={filter.id} {...props} className={`${isWide ? 'col-span-2' : ''} ${className}`}>
              <PictureCard
                src={filter.preview_images[0]}
                name={filter.name}
                ratio={isWide ? '3/2' : '2/3'}
                isChosen={chosenId === filter.id}
                {...(onChoose && { onClick: () => onChoose(filter) })}
              />
            </div>
          );
        })}
      </div>
      {filters.length > 0 && found.length === 0 && (
        <p className="py-8 text-center text-ink-soft">
          {say('No filter has “{search}” in its name.', { search })}
        </p>
      )}
    </div>
  );
}
