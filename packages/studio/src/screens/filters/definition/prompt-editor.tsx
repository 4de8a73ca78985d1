import type { PromptSuggestion } from '@guise/contract/filter-options.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useGuise } from '../../../app/guise-context.ts';
import { TextArea } from '../../../ui/text-field.tsx';
import { completeText } from './complete-text.ts';
import { useLater } from './use-later.ts';

const kindLabels: Record<PromptSuggestion['kind'], string> = {
  scene: 'scene',
  costume: 'costume',
  look: 'look',
  light: 'light',
  weather: 'weather',
  palette: 'colours',
};

/** A filter from words, with words that the engine understands. */
export function PromptEditor({ prompt, onChange }: { prompt: string; onChange(prompt: string): void }) {
  const guise = useGuise();
  const field = useRef<HTMLDivElement>(null);
  const asked = useLater(prompt, 200);
  const { data } = useQuery({
    queryKey: ['prompt_suggestions', asked],
    queryFn: ({ signal }) => guise.filterDrafts.suggestions(asked, signal),
    placeholderData: keepPreviousData,
  });
  const take = (suggestion: PromptSuggestion) => {
    onChange(completeText(prompt, suggestion.text));
    field.current?.querySelector('textarea')?.focus();
  };
  return (
    <div ref={field} className="flex flex-col gap-3">
      <TextArea
        label="In words"
        rows={5}
        maxLength={2000}
        value={prompt}
        placeholder="A knight in a misty pine forest at golden hour, painted in watercolour"
        onChange={(event) => onChange(event.target.value)}
      />
      <section aria-label="Suggestions" className="flex min-h-9 flex-wrap gap-1.5">
        {data?.suggestions.map((suggestion) => (
          <button
            key={`${suggestion.kind} ${suggestion.text}`}
            type="button"
            onClick={() => take(suggestion)}
            className="inline-flex min-h-9 items-center gap-1.5 rounded-full border px-3 text-small hover:border-ink-soft"
          >
            {suggestion.text}
            <span className="text-ink-soft">{kindLabels[suggestion.kind]}</span>
          </button>
        ))}
      </section>
    </div>
  );
}
