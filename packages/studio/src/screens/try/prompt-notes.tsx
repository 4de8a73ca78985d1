import type { PromptToCheck } from '@guise/contract/definition-checks.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { say } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { useLater } from '../filters/definition/use-later.ts';

interface PromptNotesProps extends PromptToCheck {
  /** Chooses the model that follows what the simple one ignores. */
  onUseAdvanced?(): void;
}

/** Which words a run would ignore, while they are typed: afterwards they are paid for. */
export function PromptNotes({ family, model, prompt, onUseAdvanced }: PromptNotesProps) {
  const guise = useGuise();
  const asked = useLater(prompt.trim(), 250);
  const { data } = useQuery({
    queryKey: ['prompt_check', family, model, asked],
    queryFn: ({ signal }) => guise.filterDrafts.checkPrompt({ family, model, prompt: asked }, signal),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { ignored = [], by_meaning = [] } = (prompt.trim() !== '' && data) || {};
  const needsAdvanced = ignored.some(({ reason }) => reason?.includes('model simple'));
  return (
    <div role="status" className="flex flex-col gap-1 text-small">
      {ignored.length > 0 && (
        <p>
          <span className="font-medium">{say('Will be ignored:')} </span>
          {ignored.map(({ words, reason }, at) => (
            <span key={`${words} ${reason}`}>
              {at > 0 && ', '}
              <mark className="bg-transparent text-ink line-through decoration-lost decoration-2">
                {words}
              </mark>
              {reason && ` (${sayOfServer(reason)})`}
            </span>
          ))}
        </p>
      )}
      {needsAdvanced && onUseAdvanced && (
        <button type="button" onClick={onUseAdvanced} className="self-start text-accent-ink underline">
          {say('Use the advanced model')}
        </button>
      )}
      {by_meaning.length > 0 && (
        <p className="text-ink-soft">
          {say('Not in the catalog: {words}. The nearest in meaning is used, or nothing.', {
            words: by_meaning.join(', '),
          })}
        </p>
      )}
    </div>
  );
}
