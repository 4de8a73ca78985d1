import { join } from 'node:path';
import type { FilterDefinition } from '@guise/contract/filters.ts';

const folder = join(import.meta.dirname, '../../../catalog/samples');

/** Photos to show filters on. Where they come from: catalog/samples/README.md. */
export const samplePhotos = {
  onePerson: join(folder, 'astronaut.jpg'),
  /** With nothing beside the neck: for costumes. */
  head: join(folder, 'astronaut-head.jpg'),
  man: join(folder, 'glover.jpg'),
  woman: join(folder, 'ride.jpg'),
  olderWoman: join(folder, 'hopper.jpg'),
  twoPeople: join(folder, 'two-people.jpg'),
} as const;

/** Somebody whom filters are shown on. */
export interface CastMember {
  photo: string;
  /** As runs name it: 0 male, 1 female. */
  gender: 0 | 1;
  /** The photo for costumes; without one, this person shows none: costumes have hats and hoods of their own. */
  head?: string;
}

/** People of several ages and skin tones: they take turns, so that no list shows one of them alone. */
export const cast: readonly CastMember[] = [
  { photo: samplePhotos.man, gender: 0, head: samplePhotos.man },
  { photo: samplePhotos.woman, gender: 1, head: samplePhotos.woman },
  { photo: samplePhotos.olderWoman, gender: 1 },
  { photo: samplePhotos.onePerson, gender: 1, head: samplePhotos.head },
];

const isDressed = (definition: FilterDefinition) =>
  definition.kind === 'scene' && definition.costume !== undefined;

/** Who shows a filter whose turn it is, and the photo that does it well. */
export function castFor(definition: FilterDefinition, turn: number): Pick<CastMember, 'photo' | 'gender'> {
  const shown = isDressed(definition)
    ? cast.flatMap(({ head, gender }) => (head === undefined ? [] : [{ photo: head, gender }]))
    : cast;
  return shown[turn % shown.length]!;
}

/** The photo of one person that shows a filter well. */
export function sampleFor(definition: FilterDefinition): string {
  return isDressed(definition) ? samplePhotos.head : samplePhotos.onePerson;
}
