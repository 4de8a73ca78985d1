import type { Alias } from '@guise/contract/aliases.ts';
import { ShieldCheck, ShieldPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { say } from '../../words/say.ts';
import { ChooseFilterDialog } from './choose-filter-dialog.tsx';
import { useFilterDrop } from './filter-drag.ts';
import { FilterThumb } from './filter-thumb.tsx';
import { usePutFilter } from './put-filter.tsx';
import { useAliasActions } from './use-alias-actions.ts';
import { useOwnFilters } from './use-own-filters.ts';

/** The filter that is known to work, one click away in the middle of an event. */
export function SlotSafe({ alias }: { alias: Alias }) {
  const [isChoosing, setIsChoosing] = useState(false);
  const { find } = useOwnFilters();
  const { switchToSafe } = useAliasActions();
  const putFilter = usePutFilter();
  const { isOver, dropProps } = useFilterDrop((id) => {
    const filter = find(id);
    if (filter) putFilter(alias, filter, 'safe');
  });
  const safe = find(alias.safe_filter);
  return (
    <div
      {...dropProps}
      className={`rounded-card ${isOver ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
    >
      {!safe ? (
        <Button
          kind="quiet"
          className="-ml-2 px-2! text-small"
          icon={<ShieldPlus size={17} aria-hidden />}
          onClick={() => setIsChoosing(true)}
        >
          {say('Set a safe filter')}
        </Button>
      ) : alias.safe_filter === alias.ai_filter ? (
        <p className="flex min-h-10 items-center gap-2 text-small text-good">
          <ShieldCheck size={17} aria-hidden />
          {say('On the safe filter')}
        </p>
      ) : (
        <Button
          className="w-full justify-start gap-2.5 py-1 pr-2 pl-1 text-small"
          title={say('Put “{name}” into the slot', { name: safe.name })}
          icon={<FilterThumb src={safe.preview_images[0]} className="size-8" />}
          onClick={() => void switchToSafe([alias])}
        >
          <span className="truncate">{say('Switch to safe')}</span>
        </Button>
      )}
      {isChoosing && (
        <ChooseFilterDialog
          title={say('Choose the safe filter')}
          chosenId={alias.safe_filter}
          onChoose={(filter) => putFilter(alias, filter, 'safe')}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </div>
  );
}
