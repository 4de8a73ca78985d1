import type { FilterOptions, PromptSuggestion } from '@guise/contract/filter-options.ts';
import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../../app/guise-context.ts';
import { PictureCard } from '../../../ui/picture-card.tsx';
import { say } from '../../../words/say.ts';
import { previewOfSuggestion } from './preview-of-suggestion.ts';

const kinds: { kind: PromptSuggestion['kind']; label: string }[] = [
  { kind: 'scene', label: say('Places') },
  { kind: 'costume', label: say('Costumes') },
  { kind: 'light', label: say('Light') },
  { kind: 'weather', label: say('Weather') },
  { kind: 'look', label: say('Looks') },
  { kind: 'palette', label: say('Colours') },
];

/** Words to begin with, each with a picture of what it makes. */
export function WordWall({
  options,
  onTake,
}: {
  options: FilterOptions | undefined;
  onTake(text: string): void;
}) {
  const guise = useGuise();
  const { data } = useQuery({
    queryKey: ['prompt_suggestions', ''],
    queryFn: ({ signal }) => guise.filterDrafts.suggestions('', 50, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const shown = data?.suggestions.flatMap((suggestion) => {
    const src = previewOfSuggestion(options, suggestion);
    return src ? [{ ...suggestion, src }] : [];
  });
  return kinds.map(({ kind, label }) => {
    const words = shown?.filter((suggestion) => suggestion.kind === kind) ?? [];
    if (words.length === 0) return null;
    return (
      <section key={kind} aria-label={label}>
        <h2 className="mb-2 text-small font-medium text-ink-soft">{label}</h2>
        <div className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-x-3 gap-y-4 max-sm:grid-cols-3">
          {words.map(({ text, src }) => (
            <PictureCard key={text} src={src} name={text} ratio="1/1" onClick={() => onTake(text)} />
          ))}
        </div>
      </section>
    );
  });
}
