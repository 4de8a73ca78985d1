import type { Alias } from '@guise/contract/aliases.ts';
import { useState } from 'react';
import { say } from '../../words/say.ts';
import { ChooseFilterDialog } from './choose-filter-dialog.tsx';
import { useFilterDrop } from './filter-drag.ts';
import { usePutFilter } from './put-filter.tsx';
import { useOwnFilters } from './use-own-filters.ts';

/** What is in the slot. A click or a dropped filter chooses what comes next. */
export function SlotPicture({ alias, isWide }: { alias: Alias; isWide: boolean }) {
  const [isChoosing, setIsChoosing] = useState(false);
  const { filters, find } = useOwnFilters();
  const putFilter = usePutFilter();
  const { isOver, dropProps } = useFilterDrop((id) => {
    const filter = find(id);
    if (filter) putFilter(alias, filter, 'draft');
  });
  const filter = find(alias.ai_filter);
  const src = filter?.preview_images[0];
  return (
    <>
      <button
        type="button"
        {...dropProps}
        onClick={() => setIsChoosing(true)}
        aria-label={say('Change the filter, now {name}', { name: alias.ai_filter_data.label })}
        className={`group relative block w-full overflow-hidden rounded-card bg-panel ${isWide ? 'aspect-[7/5]' : 'aspect-[2/3]'} ${isOver ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
      >
        {src ? (
          <img
            src={src}
            alt=""
            decoding="async"
            draggable={false}
            className={`size-full object-cover transition-opacity ${isOver ? 'opacity-40' : ''}`}
          />
        ) : (
          <span className="grid size-full place-items-center p-4 text-small text-ink-soft">
            {filters && !filter ? say('This filter was deleted') : say('No picture yet')}
          </span>
        )}
        <span
          aria-hidden
          className={`absolute inset-x-0 bottom-0 bg-black/70 px-3 py-2 text-small text-white transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100 ${isOver ? 'opacity-100' : 'opacity-0'}`}
        >
          {isOver ? say('Drop here') : say('Change the filter')}
        </span>
      </button>
      {isChoosing && (
        <ChooseFilterDialog
          title={say('Choose a filter for the slot')}
          chosenId={alias.ai_filter}
          onChoose={(chosen) => putFilter(alias, chosen, 'draft')}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </>
  );
}
