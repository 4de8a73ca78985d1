import type { Alias } from '@guise/contract/aliases.ts';
import { Undo2 } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { fullTime } from '../../ui/format-time.ts';
import { say } from '../../words/say.ts';
import { FilterThumb } from './filter-thumb.tsx';
import { usePutFilter } from './put-filter.tsx';
import { useAliasActions } from './use-alias-actions.ts';
import { useOwnFilters } from './use-own-filters.ts';

const mostShown = 4;

/** What was in the slot before: the last one comes back with undo, each with a click on it. */
export function SlotHistory({ alias }: { alias: Alias }) {
  const { find } = useOwnFilters();
  const { undo } = useAliasActions();
  const putFilter = usePutFilter();
  const earlier = earlierFilters(alias);
  if (earlier.length === 0) return null;
  return (
    <div className="mt-2 flex items-center gap-1.5">
      <IconButton
        label={say('Undo the last swap')}
        disabled={!earlier.some(({ id }) => find(id))}
        onClick={() => void undo(alias.id)}
        className="-ml-1.5"
      >
        <Undo2 size={18} aria-hidden />
      </IconButton>
      {earlier.slice(0, mostShown).map(({ id, name, removed }, at) => {
        const filter = find(id);
        const label = filter
          ? say('Put “{name}” back, here until {time}', { name, time: fullTime(removed) })
          : say('“{name}” was deleted, here until {time}', { name, time: fullTime(removed) });
        return (
          <button
            key={id}
            type="button"
            title={label}
            aria-label={label}
            disabled={!filter}
            onClick={() => filter && putFilter(alias, filter, 'filter')}
            className={`transition-opacity enabled:hover:opacity-75 disabled:opacity-50 ${at === mostShown - 1 ? 'max-md:hidden' : ''}`}
          >
            <FilterThumb src={filter?.preview_images[0]} className="h-13 w-9" />
          </button>
        );
      })}
    </div>
  );
}

/** Each earlier filter once, the last one first, without the one that is in the slot. */
function earlierFilters(alias: Alias): { id: string; name: string; removed: string }[] {
  const seen = new Set([alias.ai_filter]);
  const earlier = [];
  for (const { ai_filter_id, ai_filter_name, time_removed } of alias.history.toReversed()) {
    if (seen.has(ai_filter_id)) continue;
    seen.add(ai_filter_id);
    earlier.push({ id: ai_filter_id, name: ai_filter_name, removed: time_removed });
  }
  return earlier;
}
