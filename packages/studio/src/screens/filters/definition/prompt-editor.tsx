import type { FilterOptions, PromptSuggestion } from '@guise/contract/filter-options.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { TextArea } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import { completeText } from './complete-text.ts';
import { previewOfSuggestion } from './preview-of-suggestion.ts';
import { useLater } from './use-later.ts';
import { WordWall } from './word-wall.tsx';

interface PromptEditorProps {
  options: FilterOptions | undefined;
  prompt: string;
  onChange(prompt: string): void;
}

/** A filter from words, with words that the engine understands. */
export function PromptEditor({ options, prompt, onChange }: PromptEditorProps) {
  const guise = useGuise();
  const field = useRef<HTMLDivElement>(null);
  const asked = useLater(prompt, 200);
  const { data } = useQuery({
    queryKey: ['prompt_suggestions', asked],
    queryFn: ({ signal }) => guise.filterDrafts.suggestions(asked, 8, signal),
    enabled: asked.trim() !== '',
    placeholderData: keepPreviousData,
  });
  const completions = prompt.trim() === '' ? [] : (data?.suggestions ?? []);
  const take = (text: string) => {
    onChange(completeText(prompt, text));
    field.current?.querySelector('textarea')?.focus();
  };
  return (
    <div ref={field} className="flex flex-col gap-4">
      <TextArea
        label={say('In words')}
        maxLength={2000}
        value={prompt}
        placeholder={say('A knight in a castle at golden hour, as a watercolour')}
        onChange={(event) => onChange(event.target.value)}
      />
      <section aria-label={say('Completions')} className="flex min-h-9 flex-wrap gap-1.5">
        {completions.map((suggestion) => (
          <Completion
            key={`${suggestion.kind} ${suggestion.text}`}
            suggestion={suggestion}
            src={previewOfSuggestion(options, suggestion)}
            onTake={() => take(suggestion.text)}
          />
        ))}
      </section>
      <WordWall options={options} onTake={take} />
    </div>
  );
}

interface CompletionProps {
  suggestion: PromptSuggestion;
  src: string | undefined;
  onTake(): void;
}

function Completion({ suggestion, src, onTake }: CompletionProps) {
  return (
    <button
      type="button"
      onClick={onTake}
      className="inline-flex min-h-9 items-center gap-2 rounded-full border py-0.5 pr-3.5 pl-1 text-small hover:border-ink-soft"
    >
      {src ? (
        <img src={src} alt="" className="size-7 rounded-full object-cover" />
      ) : (
        <span className="size-7 rounded-full bg-panel" />
      )}
      {suggestion.text}
    </button>
  );
}
