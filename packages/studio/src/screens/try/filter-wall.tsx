import { useState } from 'react';
import { PictureCard } from '../../ui/picture-card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import type { WallFilter } from './run-choice.ts';
import { useWallFilters } from './use-wall-filters.ts';

type People = 'one' | 'group';
const peopleOptions = [
  { value: 'one', label: 'One person' },
  { value: 'group', label: 'Group' },
] as const;

/** The lists of the wall, in the order they are shown, with the shape of their previews. */
const sections: { catalog: WallFilter['catalog']; title: string; people: People }[] = [
  { catalog: 'own', title: 'Yours', people: 'one' },
  { catalog: 'face_swap', title: 'Scenes and costumes', people: 'one' },
  { catalog: 'own', title: 'Yours', people: 'group' },
  { catalog: 'realistic', title: 'Realistic', people: 'group' },
  { catalog: 'stylized', title: 'Stylized', people: 'group' },
];

interface FilterWallProps {
  chosen: WallFilter | undefined;
  onChoose(filter: WallFilter): void;
}

/** Every filter as a picture. */
export function FilterWall({ chosen, onChoose }: FilterWallProps) {
  const [people, setPeople] = useState<People>(chosen?.type === 'multi_swap' ? 'group' : 'one');
  const [search, setSearch] = useState('');
  const { filters, error, retry } = useWallFilters();
  const wanted = search.trim().toLowerCase();
  const type = people === 'one' ? 'face_swap' : 'multi_swap';
  const found = filters.filter(
    (filter) => filter.type === type && filter.name.toLowerCase().includes(wanted),
  );
  const shown = sections
    .filter((section) => section.people === people)
    .map((section) => ({ ...section, found: found.filter(({ catalog }) => catalog === section.catalog) }))
    .filter((section) => section.found.length > 0);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Segmented<People> label="Filters for" value={people} options={peopleOptions} onChange={setPeople} />
        <SearchField label="Search filters" value={search} onChange={setSearch} className="min-w-40 flex-1" />
      </div>
      {error && <Problem error={error} onRetry={retry} />}
      {shown.map((section) => (
        <section key={section.title} aria-label={section.title}>
          <h2 className="mb-2 text-small font-medium text-ink-soft">{section.title}</h2>
          <div
            className={`grid gap-x-3 gap-y-4 ${people === 'one' ? 'grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))]' : 'grid-cols-[repeat(auto-fill,minmax(10rem,1fr))]'}`}
          >
            {section.found.map((filter) => (
              <PictureCard
                key={filter.id}
                src={filter.preview}
                name={filter.name}
                ratio={people === 'one' ? '2/3' : '3/2'}
                isChosen={chosen?.id === filter.id && chosen.catalog === filter.catalog}
                onClick={() => onChoose(filter)}
              />
            ))}
          </div>
        </section>
      ))}
      {!error && filters.length > 0 && shown.length === 0 && (
        <p className="py-8 text-center text-ink-soft">No filter has “{search}” in its name.</p>
      )}
    </div>
  );
}
