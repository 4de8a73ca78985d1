import type { Alias } from '@guise/contract/aliases.ts';
import type { VersionedFilter } from '@guise/contract/filter-details.ts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { GoLiveDialog } from '../drafts/go-live-dialog.tsx';
import { FilterThumb } from './filter-thumb.tsx';
import { useAliasDraft, useAliasDraftActions } from './use-alias-draft.ts';
import { useOwnFilters } from './use-own-filters.ts';

/** What the slot gets next, which booths do not have yet. */
export function SlotDraft({ alias, isWide }: { alias: Alias; isWide: boolean }) {
  return alias.draft && <Draft alias={alias} draft={alias.draft} isWide={isWide} />;
}

function Draft({
  alias,
  draft,
  isWide,
}: {
  alias: Alias;
  draft: NonNullable<Alias['draft']>;
  isWide: boolean;
}) {
  const { find } = useOwnFilters();
  const { discardDraft, makeLive } = useAliasDraftActions();
  const { fail } = useToast();
  const { checked, checkAgain } = useAliasDraft(alias, draft.number);
  const [isAsking, setAsking] = useState(false);
  const next = find(draft.ai_filter);
  const name = next?.name ?? say('a deleted filter');
  const outcome = checked?.outcome ?? 'waiting';
  const live = useMutation({
    mutationFn: async () => checked && makeLive(alias, checked),
    onError: (error) => fail(errorSentence(error)),
  });
  const src = checked?.checks.find(({ picture_url }) => picture_url)?.picture_url ?? next?.preview_images[0];
  return (
    <section
      aria-label={say('Draft')}
      className={`mt-1 mb-3 flex flex-col gap-2 rounded-card border bg-panel p-2 ${isWide ? 'md:max-w-60' : ''}`}
    >
      <div className="flex min-w-0 items-start gap-2">
        <FilterThumb src={src} className="h-13 w-9" />
        <div className="min-w-0 text-small">
          <p className="truncate font-medium" title={name}>
            {say('Next: {name}', { name })}
          </p>
          <p role="status" className={outcomeColours[outcome]}>
            {shortWords[outcome]}
          </p>
          <button type="button" className="text-left underline" onClick={() => setAsking(true)}>
            {say('What was checked')}
          </button>
        </div>
      </div>
      <div className="flex flex-wrap gap-1">
        <Button
          kind={outcome === 'failed' ? 'plain' : 'primary'}
          className="min-h-9 flex-1 px-2! text-small whitespace-nowrap"
          busy={live.isPending}
          onClick={() => (outcome === 'passed' ? live.mutate() : setAsking(true))}
        >
          {outcome === 'failed' ? say('Read why') : say('Make live')}
        </Button>
        <Button
          kind="quiet"
          className="min-h-9 px-2! text-small"
          onClick={() => void discardDraft(alias, next)}
        >
          {say('Discard')}
        </Button>
      </div>
      {isAsking && (
        <GoLiveDialog
          title={say('Put “{name}” into the slot?', { name })}
          pictures={{
            now: pictureOf(say('Now: {name}', { name: alias.ai_filter_data.label }), find(alias.ai_filter)),
            next: pictureOf(say('Next: {name}', { name }), next, src),
          }}
          checked={checked ?? { outcome: 'waiting', checks: [] }}
          onCheckAgain={checkAgain}
          onClose={() => setAsking(false)}
          onConfirm={async () => checked && makeLive(alias, checked)}
        >
          <p>{say('Booths that call this slot get it from the next photo on.')}</p>
        </GoLiveDialog>
      )}
    </section>
  );
}

const pictureOf = (caption: string, filter: VersionedFilter | undefined, src?: string) => ({
  caption,
  src: src ?? filter?.preview_images[0] ?? null,
  isWide: filter?.filter_type === 'multi_swap',
});

/** A slot is narrow. */
const shortWords = {
  waiting: say('Checking…'),
  passed: say('All checks passed.'),
  warned: say('Checked, with notes.'),
  failed: say('It cannot go live.'),
};

const outcomeColours = {
  waiting: 'text-ink-soft',
  passed: 'text-ink-soft',
  warned: 'text-accent-ink',
  failed: 'text-lost',
} as const;
