import type { Face } from '../faces/face.ts';
import type { Picture } from '../pixels/picture.ts';
import { withArena } from '../runtime/arena.ts';
import { blueprint } from './blueprint.ts';
import { comic } from './comic.ts';
import { duotone } from './duotone.ts';
import { halftone } from './halftone.ts';
import { ink } from './ink.ts';
import { isLookName, type LookName } from './look-names.ts';
import { lowPoly } from './low-poly.ts';
import { mosaic } from './mosaic.ts';
import { neon } from './neon.ts';
import { oil } from './oil.ts';
import { pastel } from './pastel.ts';
import { pencil } from './pencil.ts';
import { popArt } from './pop-art.ts';
import { stainedGlass } from './stained-glass.ts';
import type { ClassMap } from './subject/people-classes.ts';
import { type Look, prepareSubject } from './subject/subject.ts';
import { watercolour } from './watercolour.ts';
import { woodcut } from './woodcut.ts';

const looks: Readonly<Record<LookName, Look>> = {
  ink,
  comic,
  watercolour,
  oil,
  'pop-art': popArt,
  halftone,
  pencil,
  'stained-glass': stainedGlass,
  'low-poly': lowPoly,
  woodcut,
  neon,
  pastel,
  mosaic,
  duotone,
  blueprint,
};

/** The looks that treat hair, skin, clothes and things of people each in its own way. */
const looksByClass: ReadonlySet<string> = new Set(['ink', 'comic', 'oil', 'pencil', 'stained-glass']);

export const usesClasses = (name: string): boolean => looksByClass.has(name);

/**
 * Paints a picture in a look. The same seed gives the same picture; features of the faces stay recognisable. `classes`
 * says what the pixels of people are, for looks that use it.
 */
export function applyLook(
  name: string,
  picture: Picture,
  faces: readonly Face[],
  seed: number,
  classes: ClassMap | null = null,
): Picture {
  if (!isLookName(name)) throw new RangeError(`There is no look called ${name}`);
  return withArena(() => looks[name](prepareSubject(picture, faces, seed, classes)));
}
