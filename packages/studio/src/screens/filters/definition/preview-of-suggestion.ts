import type { FilterOptions, PromptSuggestion } from '@guise/contract/filter-options.ts';

const lists = {
  scene: 'scenes',
  costume: 'costumes',
  look: 'looks',
  light: 'lights',
  weather: 'weathers',
  palette: 'palettes',
} as const;

/** The picture of what a suggestion leads to, where it leads to one thing. */
export function previewOfSuggestion(
  options: FilterOptions | undefined,
  { kind, value }: PromptSuggestion,
): string | undefined {
  return options?.[lists[kind]].find(({ name }) => name === value)?.preview_url ?? undefined;
}
