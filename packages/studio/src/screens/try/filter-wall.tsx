import { LayoutGrid } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { PictureCard } from '../../ui/picture-card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { say } from '../../words/say.ts';
import { mostFilters, type WallFilter } from './run-choice.ts';
import { useWallFilters } from './use-wall-filters.ts';

type People = 'one' | 'group';
const peopleOptions = [
  { value: 'one', label: say('One person') },
  { value: 'group', label: say('Group') },
] as const;

/** The lists of the wall, in the order they are shown, with the shape of their previews. */
const sections: { catalog: WallFilter['catalog']; title: string; people: People }[] = [
  { catalog: 'own', title: say('Yours'), people: 'one' },
  { catalog: 'face_swap', title: say('Scenes and costumes'), people: 'one' },
  { catalog: 'own', title: say('Yours'), people: 'group' },
  { catalog: 'realistic', title: say('Realistic'), people: 'group' },
  { catalog: 'stylized', title: say('Stylized'), people: 'group' },
];

interface FilterWallProps {
  chosen: readonly WallFilter[];
  /** Whether several are chosen, to see them side by side. */
  several?: boolean;
  onChoose(filters: readonly WallFilter[]): void;
  /** Without it, one is chosen. */
  onSeveral?(several: boolean): void;
}

/** Every filter as a picture. */
export function FilterWall({ chosen, several = false, onChoose, onSeveral }: FilterWallProps) {
  const [people, setPeople] = useState<People>(chosen[0]?.type === 'multi_swap' ? 'group' : 'one');
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
  const isChosen = (filter: WallFilter) => chosen.some((other) => isSameFilter(other, filter));
  const choose = (filter: WallFilter) => {
    if (!several) return onChoose([filter]);
    if (isChosen(filter)) return onChoose(chosen.filter((other) => !isSameFilter(other, filter)));
    if (chosen.length < mostFilters) onChoose([...chosen, filter]);
  };
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <Segmented<People>
          label={say('Filters for')}
          value={people}
          options={peopleOptions}
          onChange={setPeople}
        />
        <SearchField
          label={say('Search filters')}
          value={search}
          onChange={setSearch}
          className="min-w-40 flex-1"
        />
        {onSeveral && (
          <Button
            aria-pressed={several}
            icon={<LayoutGrid size={16} aria-hidden />}
            className={several ? 'border-accent text-accent-ink' : ''}
            onClick={() => onSeveral(!several)}
          >
            {say('Several at once')}
          </Button>
        )}
      </div>
      {several && (
        <p role="status" className="-mt-1 text-small text-ink-soft">
          {chosenInWords(chosen)}
        </p>
      )}
      {error && <Problem error={error} onRetry={retry} />}
      {shown.map((section) => (
        <section key={section.title} aria-label={section.title}>
          <h2 className="mb-2 text-small font-medium text-ink-soft">{section.title}</h2>
          <div
            className={`grid gap-x-3 gap-y-4 ${people === 'one' ? 'grid-cols-[repeat(auto-fill,minmax(6.9rem,1fr))]' : 'grid-cols-[repeat(auto-fill,minmax(10rem,1fr))]'}`}
          >
            {section.found.map((filter) => (
              <PictureCard
                key={filter.id}
                src={filter.preview}
                name={filter.name}
                ratio={people === 'one' ? '2/3' : '3/2'}
                isChosen={isChosen(filter)}
                onClick={() => choose(filter)}
              />
            ))}
          </div>
        </section>
      ))}
      {!error && filters.length > 0 && shown.length === 0 && (
        <p className="py-8 text-center text-ink-soft">
          {say('No filter has “{search}” in its name.', { search })}
        </p>
      )}
    </div>
  );
}

function chosenInWords(chosen: readonly WallFilter[]): string {
  if (chosen.length === 0)
    return say('Choose up to {count} filters to see your photo in each of them.', { count: mostFilters });
  const names = chosen.map(({ name }) => name).join(', ');
  return say('{count} of {most} chosen: {names}.', { count: chosen.length, most: mostFilters, names });
}

const isSameFilter = (a: WallFilter, b: WallFilter) => a.id === b.id && a.catalog === b.catalog;
