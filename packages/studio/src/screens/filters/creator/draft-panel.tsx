import type { CheckedVersion, CustomFilterDetail } from '@guise/contract/filter-details.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { CheckList, outcomeWords } from '../../drafts/check-list.tsx';
import { MakeLiveDialog } from './make-live-dialog.tsx';
import { useGoLive } from './use-go-live.ts';

interface DraftPanelProps {
  detail: CustomFilterDetail;
  draft: CheckedVersion;
  etag: string | undefined;
  /** Whether something was typed since it was saved. */
  isChanged: boolean;
}

/** A version that is saved and not live: what its checks found, and the way to go live. */
export function DraftPanel({ detail, draft, etag, isChanged }: DraftPanelProps) {
  const [isAsking, setAsking] = useState(false);
  const { makeLive } = useGoLive(detail);
  const { check, discard } = useDraftActions(detail.id, draft.version);
  const isFailed = draft.outcome === 'failed';
  return (
    <section aria-label={say('Draft')} className="mx-6 mb-5 rounded-card border bg-panel max-md:mx-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-3">
        <div className="min-w-0">
          <h2 className="font-medium">
            {say('Version {draft} is a draft. Guests get version {live}.', {
              draft: draft.version,
              live: detail.version,
            })}
          </h2>
          <p role="status" className={`text-small ${isFailed ? 'text-lost' : 'text-ink-soft'}`}>
            {draft.outcome === null ? say('Not checked.') : outcomeWords[draft.outcome]}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Button kind="quiet" busy={discard.isPending} onClick={() => discard.mutate(null)}>
            {say('Discard draft')}
          </Button>
          <Button
            busy={check.isPending}
            disabled={draft.outcome === 'waiting'}
            onClick={() => check.mutate()}
          >
            {say('Check again')}
          </Button>
          <Button
            kind={isChanged ? 'plain' : 'primary'}
            className="max-sm:order-first max-sm:w-full"
            disabled={isChanged || isFailed}
            title={isChanged ? say('Save the changes first') : undefined}
            onClick={() => setAsking(true)}
          >
            {say('Make live')}
          </Button>
        </div>
      </div>
      <CheckList checks={draft.checks} wide={detail.filter_type === 'multi_swap'} />
      {isAsking && (
        <MakeLiveDialog
          detail={detail}
          version={draft}
          onClose={() => setAsking(false)}
          onConfirm={() => makeLive(draft, etag)}
        />
      )}
    </section>
  );
}

function useDraftActions(id: string, version: number) {
  const guise = useGuise();
  const queries = useQueryClient();
  const toast = useToast();
  const readAgain = () => queries.invalidateQueries({ queryKey: ['filters'] });
  const onError = (error: unknown) => toast.fail(errorSentence(error));
  const check = useMutation({
    mutationFn: () => guise.customFilters.check(id, version),
    onSuccess: readAgain,
    onError,
  });
  const discard = useMutation({
    mutationFn: (open: number | null) => guise.customFilters.chooseDraft(id, open),
    async onSuccess(_, open) {
      await readAgain();
      if (open === null)
        toast.tell(say('Draft {version} is put away. It is among the versions.', { version }), {
          label: say('Undo'),
          onClick: () => discard.mutate(version),
        });
    },
    onError,
  });
  return { check, discard };
}
