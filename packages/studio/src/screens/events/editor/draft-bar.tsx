import type { CheckOutcome } from '@guise/contract/filter-details.ts';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { errorSentence } from '../../../ui/error-sentence.ts';
import { useToast } from '../../../ui/toasts.tsx';
import { say } from '../../../words/say.ts';
import { outcomeWords } from '../../drafts/check-list.tsx';
import { FormProblem } from './event-form.tsx';
import type { SaveState } from './use-event-draft.ts';

interface DraftBarProps {
  hasDraft: boolean;
  state: SaveState;
  /** Undefined until it is read. */
  outcome: CheckOutcome | null | undefined;
  onDiscard(): Promise<void>;
  onGoLive(): void;
}

/** Whether what was typed is saved, what was found, and the way to go live. */
export function DraftBar({ hasDraft, state, outcome, onDiscard, onGoLive }: DraftBarProps) {
  const { fail } = useToast();
  const discard = useMutation({
    mutationFn: onDiscard,
    onError: (error) => fail(errorSentence(error)),
  });
  return (
    <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
      <FormProblem />
      {state !== 'invalid' && (
        <p role="status" className="min-w-0 flex-1 basis-60 text-small text-ink-soft">
          {sentenceOf(state, hasDraft)}
          {hasDraft && state === 'saved' && outcome && (
            <span className={`block ${outcome === 'failed' ? 'text-lost' : ''}`}>
              {outcomeWords[outcome]}
            </span>
          )}
        </p>
      )}
      <div className="flex gap-2">
        {hasDraft && (
          <Button kind="quiet" busy={discard.isPending} onClick={() => discard.mutate()}>
            {say('Discard draft')}
          </Button>
        )}
        <Button kind="primary" disabled={!hasDraft || state !== 'saved'} onClick={onGoLive}>
          {say('Make live')}
        </Button>
      </div>
    </div>
  );
}

function sentenceOf(state: SaveState, hasDraft: boolean): string {
  if (state === 'refused') return say('Not saved.');
  if (state !== 'saved') return say('Saving the draft…');
  return hasDraft
    ? say('Draft saved. Guests get the event as it was.')
    : say('Changes are saved as a draft. Guests get them when you make them live.');
}
