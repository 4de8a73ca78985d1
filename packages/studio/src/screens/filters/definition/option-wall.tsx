import type { FilterOption } from '@guise/contract/filter-options.ts';
import { PictureCard } from '../../../ui/picture-card.tsx';
import { say } from '../../../words/say.ts';

interface OptionWallProps {
  label: string;
  /** Undefined while they are read. */
  options: FilterOption[] | undefined;
  /** What it is called to choose nothing; empty where something must be chosen. */
  none: string;
  chosen: string | undefined;
  onChoose(name: string | undefined): void;
}

const grid = 'grid grid-cols-[repeat(auto-fill,minmax(8.5rem,1fr))] gap-x-3 gap-y-4 max-sm:grid-cols-3';

/** What a part of a scene filter can be, as pictures of what it makes. */
export function OptionWall({ label, options, none, chosen, onChoose }: OptionWallProps) {
  return (
    <section aria-label={label} className={grid}>
      {none !== '' && (
        <button
          type="button"
          aria-pressed={chosen === undefined}
          onClick={() => onChoose(undefined)}
          className="block min-w-0 self-start text-left"
        >
          <span
            className={`grid aspect-square place-items-center rounded-card border border-dashed border-ink-soft p-2 text-center text-small text-ink-soft ${chosen === undefined ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
          >
            {none}
          </span>
        </button>
      )}
      {options?.map(({ name, title, preview_url, modes }) => (
        <PictureCard
          key={name}
          src={preview_url}
          name={title}
          note={modes.includes('group') ? undefined : say('For one person')}
          ratio="1/1"
          isChosen={name === chosen}
          onClick={() => onChoose(name)}
        />
      )) ?? placeholders}
    </section>
  );
}

const placeholders = Array.from({ length: 12 }, (_, at) => (
  // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
  <div key={at} className="aspect-square rounded-card bg-panel" />
));
