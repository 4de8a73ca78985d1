import type { CustomFilter, Mode } from '@guise/contract/catalogs.ts';
import { say } from '../../words/say.ts';

/** What somebody looks for among filters. */
export interface Wanted {
  text: string;
  people: Mode | 'any';
}

/** Whether a filter has every word in its name, and is for so many people. */
export function isWanted(name: string, modes: readonly Mode[], { text, people }: Wanted): boolean {
  const words = text.toLowerCase().split(/\s+/);
  return (
    words.every((word) => name.toLowerCase().includes(word)) && (people === 'any' || modes.includes(people))
  );
}

/** How many people a custom filter is for. */
export function modesOf({ filter_type }: Pick<CustomFilter, 'filter_type'>): Mode[] {
  return filter_type === 'face_swap' ? ['single'] : ['single', 'group'];
}

export const typeLabels = {
  face_swap: say('One person'),
  multi_swap: say('One to five people'),
} as const;
