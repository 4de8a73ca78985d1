import { join } from 'node:path';
import type { FilterDefinition } from '@guise/contract/filters.ts';

const folder = join(import.meta.dirname, '../../../catalog/samples');

/** Photos to show filters on. Where they come from: catalog/samples/README.md. */
export const samplePhotos = {
  onePerson: join(folder, 'astronaut.jpg'),
  /** With nothing beside the neck: for costumes. */
  head: join(folder, 'astronaut-head.jpg'),
  twoPeople: join(folder, 'two-people.jpg'),
} as const;

/** The photo of one person that shows a filter well. */
export function sampleFor(definition: FilterDefinition): string {
  const dressed = definition.kind === 'scene' && definition.costume !== undefined;
  return dressed ? samplePhotos.head : samplePhotos.onePerson;
}
