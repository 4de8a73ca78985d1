import type { Alias } from '@guise/contract/aliases.ts';
import { CopyId } from '../../ui/copy-button.tsx';
import { fullTime, shortTime } from '../../ui/format-time.ts';
import { say } from '../../words/say.ts';
import { SlotDraft } from './slot-draft.tsx';
import { SlotHistory } from './slot-history.tsx';
import { SlotMenu } from './slot-menu.tsx';
import { SlotPicture } from './slot-picture.tsx';
import { SlotSafe } from './slot-safe.tsx';
import { useOwnFilters } from './use-own-filters.ts';

/** An alias: what is in it, what was, and how to get out of trouble. */
export function Slot({ alias }: { alias: Alias }) {
  const filter = useOwnFilters().find(alias.ai_filter);
  const isWide = filter?.filter_type === 'multi_swap';
  return (
    <li className={`min-w-0 ${isWide ? 'col-span-2' : ''}`}>
      <SlotPicture alias={alias} isWide={isWide} />
      <div className="mt-1 flex items-start gap-1">
        <h3 className="min-w-0 flex-1 truncate py-1.5 font-medium" title={alias.ai_filter_data.label}>
          {alias.ai_filter_data.label}
          {filter && (
            <span className="block truncate text-small font-normal text-ink-soft">
              {filter.draft
                ? say('Version {version}, draft {draft}', {
                    version: filter.version,
                    draft: filter.draft.version,
                  })
                : say('Version {version}', { version: filter.version })}
            </span>
          )}
        </h3>
        <SlotMenu alias={alias} />
      </div>
      <SlotDraft alias={alias} isWide={isWide} />
      <div className="-mt-1 mb-1 flex flex-wrap items-center justify-between gap-x-3">
        <CopyId id={alias.id} label={say('the id of the slot')} />
        <p
          className="text-small text-ink-soft"
          title={alias.last_used ? fullTime(alias.last_used) : undefined}
        >
          {alias.last_used ? say('Used {time}', { time: shortTime(alias.last_used) }) : say('Not used yet')}
        </p>
      </div>
      <div className={isWide ? 'md:max-w-60' : ''}>
        <SlotSafe alias={alias} />
      </div>
      <SlotHistory alias={alias} />
    </li>
  );
}
